import { join } from "node:path";
import type { ClientOrders, ClientsReport } from "./clients-process.ts";
import type { RunOrganization } from "./operator.ts";
import { secretsOf } from "./oracle-secrets.ts";
import type { Scale } from "./scale.ts";
import type { Stage } from "./stage.ts";

/** The process of all clients (`clients-process.ts`), as the run sees it. */
export type RunningClients = {
  readonly report: ClientsReport;
  /** Resolves when the last call has started. */
  readonly allStarted: Promise<void>;
  /** Tells the clients that faults are over; resolves when every call has ended. */
  finish(): Promise<void>;
};

export function startClients(
  {
    seed,
    scale,
    stage,
    say,
  }: {
    readonly seed: number;
    readonly scale: Scale;
    readonly stage: Stage;
    readonly say?: (line: string) => void;
  },
  organizations: readonly RunOrganization[],
): RunningClients {
  const orders: ClientOrders = {
    ...{ seed, calls: scale.calls, callsPerSecond: scale.callsPerSecond, clients: scale.clients },
    organizations: scale.organizations,
    origins: stage.origins,
    keys: organizations.map(({ key }) => key),
    secrets: secretsOf(stage),
    logPath: stage.logs.clients,
  };
  const started = Promise.withResolvers<void>();
  const clients = { report: { started: 0, ended: 0, attempts: 0 } as ClientsReport };
  let saidAt = 0;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "clients-process.ts")], {
    stdio: [new Blob([JSON.stringify(orders)]), "inherit", "inherit"],
    ipc(message) {
      clients.report = message as ClientsReport;
      if (clients.report.started >= scale.calls) started.resolve();
      const tenth = Math.floor((clients.report.started / scale.calls) * 10);
      if (tenth > saidAt) say?.(`${clients.report.started} calls`);
      saidAt = tenth;
    },
  });
  void child.exited.then(() => started.resolve());
  return {
    get report() {
      return clients.report;
    },
    allStarted: started.promise,
    async finish() {
      if (child.exitCode === null) child.send("over");
      await child.exited;
    },
  };
}
