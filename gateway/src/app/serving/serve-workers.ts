import { join } from "node:path";
import { CliError, type ServeOptions, type Terminal } from "../../cli/index.ts";
import { type Config, ownOrigin } from "../../config/index.ts";
import { EMBEDDED_MAX_CONNECTIONS } from "../../db/index.ts";
import { ROOT } from "../../kit/index.ts";
import { VERSION } from "../../version.ts";
import { openServices, warnOfUnknownSettings } from "../services.ts";
import { connectionsOf } from "./connections.ts";
import { prepareFirstStart } from "./first-start.ts";
import { requireFreeAddress } from "./listening-address.ts";
import { serveWithoutOutput } from "./lost-output.ts";
import type { SandboxChild } from "./sandbox-child.ts";
import { announceAddress } from "./served-address.ts";
import { warnAtStart } from "./start-warnings.ts";
import { startedUnlessStopped, stopSignal } from "./stop-signals.ts";
import { type SupervisedWorker, superviseWorker } from "./supervised-worker.ts";
import { welcome } from "./welcome.ts";
import { createMetricsExchange } from "./worker-metrics.ts";

/** Without its ending, which differs between a clone and the package. */
const MAIN = join(ROOT, "gateway", "src", "main");
/**
 * Flags that keep Bun from reading the current folder's settings, if we were started with them (`scripts/launch.mjs`).
 */
const OWN_FLAGS = process.execArgv.filter((flag) => /^--(no-env-file$|config=)/.test(flag));
/** After its drain a worker releases the calls it ended and closes its parts, all of which takes less than this. */
const CLOSE_WITHIN_MS = 30_000;
/** For the parent, and for commands that are run while it serves. */
const CONNECTIONS_KEPT_FREE = 20;

/**
 * Several serving processes on one port. The parent serves nothing: it prepares the database, starts the workers,
 * restarts those that die or hang, and forwards the stop signal.
 */
export async function serveWorkers(
  input: ServeOptions & { sandbox: SandboxChild; terminal: Terminal },
): Promise<number> {
  const { sandbox, terminal, wantsJson } = input;
  const { config, environment } = sandbox;
  requireConnections(config, input.workers);
  if (config.port === 0) throw new CliError("--workers needs a fixed PORT: the workers share it.", 2);
  const serves = input.role !== "worker";
  // Before anything is created. If the operator set the port to be shared, others may listen on it; a process that
  // takes no calls must not receive theirs.
  if (serves ? !config.sharedPort : config.portGiven) await requireFreeAddress(config);
  const stopped = stopSignal();
  const opening = openServices(config, { awaitDatabaseUntil: stopped, prepares: true });
  const services = await startedUnlessStopped(stopped, opening);
  if (typeof services === "number") return services;
  const { log } = services;
  serveWithoutOutput(log);
  warnOfUnknownSettings(services);
  try {
    await warnAtStart(services);
    const exchange = createMetricsExchange(() => workers);
    const command = [process.execPath, ...OWN_FLAGS, MAIN, "serve", "--role", input.role];
    const stopWithinMs = config.timeouts.drainMs + CLOSE_WITHIN_MS;
    let isPrepared = false;
    const workers: readonly SupervisedWorker[] = Array.from({ length: input.workers }, (_, index) =>
      superviseWorker({
        command,
        environment,
        index,
        log,
        exchange,
        stopWithinMs,
        isPrepared: () => isPrepared,
      }),
    );
    let forgetAddress = () => {};
    try {
      const ready = Promise.all(workers.map((worker) => worker.ready)).then(() => "ready" as const);
      const failed = Promise.race(workers.map((worker) => worker.neverReady));
      const start = await Promise.race([ready, stopped, failed]);
      if (start === "ready") {
        await sandbox.listening;
        // Not before: if the start fails, nobody sees the key, which is shown only once.
        const healthOrigin = config.portGiven ? ownOrigin(config.host, config.port) : null;
        const beginning = serves ? await prepareFirstStart(services) : { demo: null, healthOrigin };
        if (serves) forgetAddress = announceAddress(config);
        isPrepared = true;
        for (const worker of workers) worker.prepared();
        terminal.write(
          welcome({ config: serves ? config : null, version: VERSION, ...beginning, wantsJson }),
        );
        await stopped;
      }
      return typeof start === "number" ? start : 0;
    } finally {
      forgetAddress();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  } finally {
    await services.close();
  }
}

/** Checked at the start, so that no worker lacks connections later under load. */
function requireConnections(config: Config, workers: number): void {
  if (config.databaseUrl !== null) return;
  const wanted = workers * connectionsOf(config) + CONNECTIONS_KEPT_FREE;
  if (wanted <= EMBEDDED_MAX_CONNECTIONS) return;
  throw new CliError(
    `${workers} workers may open ${wanted} connections, and Bursar's own PostgreSQL takes ${EMBEDDED_MAX_CONNECTIONS}: ` +
      "start fewer, or set DATABASE_URL to a server that takes more.",
    2,
  );
}
