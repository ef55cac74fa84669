import type { ServeOptions, Terminal } from "../../cli/index.ts";
import { ownOrigin, withBoundPort } from "../../config/index.ts";
import type { RunningCalls } from "../../generation/index.ts";
import { createApp, type RunningServer, startServer } from "../../http/index.ts";
import { armFailpointsFromText, atMost } from "../../kit/index.ts";
import { logWritten } from "../../telemetry/index.ts";
import { VERSION } from "../../version.ts";
import { httpDeps, type ProcessDeps } from "../http-deps.ts";
import { type ServingServices, startServing, warnOfUnknownSettings } from "../services.ts";
import { prepareFirstStart } from "./first-start.ts";
import { explainUnusableAddress } from "./listening-address.ts";
import { serveWithoutOutput } from "./lost-output.ts";
import type { SandboxChild } from "./sandbox-child.ts";
import { announceAddress } from "./served-address.ts";
import { warnAtStart } from "./start-warnings.ts";
import { startedUnlessStopped, stopSignal } from "./stop-signals.ts";
import { welcome } from "./welcome.ts";
import { joinSiblings } from "./worker-metrics.ts";
import { answerParent } from "./worker-presence.ts";

/** After the drain, how long releasing the calls that were ended may take. */
const RELEASE_MS = 5_000;

/** One serving process, from its start to the end of its drain. Returns the exit code. */
export async function serve(input: {
  readonly sandbox: SandboxChild;
  readonly role: ServeOptions["role"];
  readonly wantsJson: boolean;
  readonly terminal: Terminal;
}): Promise<number> {
  const { sandbox, role, wantsJson, terminal } = input;
  const { config } = sandbox;
  if (config.failpoints !== null) armFailpointsFromText(config.failpoints);
  const stopped = stopSignal();
  const start = startServing(config, {
    runsAudits: role !== "api",
    runsVideoJobs: role !== "api",
    awaitDatabaseUntil: stopped,
  });
  const services = await startedUnlessStopped(stopped, start);
  if (typeof services === "number") return services;
  endOnUnhandledErrors(services);
  serveWithoutOutput(services.log);
  // The parent process of several workers checks the settings and prints the welcome once for all.
  const isOneOfSeveral = config.hasSiblings;
  if (!isOneOfSeveral) warnOfUnknownSettings(services);
  let forgetAddress = () => {};
  let isPrepared = false;
  const prepared = () => {
    isPrepared = true;
  };
  try {
    if (isOneOfSeveral) answerParent(prepared);
    // Only workers can ask for each other's metrics.
    const beside = isOneOfSeveral ? { siblingMetrics: joinSiblings(services.metrics) } : {};
    const takesCalls = role !== "worker";
    const ofProcess = { ...beside, isHealthAlone: !takesCalls, isPrepared: () => isPrepared };
    const server = takesCalls || config.portGiven ? listen(services, ofProcess) : null;
    if (!isOneOfSeveral) {
      // A process that takes no calls has no address to show for them, and no use for a key that is shown once.
      const healthOrigin = server && ownOrigin(config.host, server.port);
      await sandbox.listening;
      const beginning = takesCalls ? await prepareFirstStart(services) : { demo: null, healthOrigin };
      const bound = takesCalls && server ? withBoundPort(config, server.port) : null;
      if (bound !== null) forgetAddress = announceAddress(bound);
      prepared();
      terminal.write(welcome({ config: bound, version: VERSION, ...beginning, wantsJson }));
      await warnAtStart(services);
    }
    process.send?.("ready");
    services.log.info("serving", { role, port: server?.port, version: VERSION });
    const signal = await stopped;
    services.log.info("draining", { signal, running: services.running.count });
    // Jobs left behind are taken over by other nodes when their lease ends.
    const worked = services.videoWorker?.stop() ?? Promise.resolve();
    await Promise.all([drain(services, server), atMost(worked, config.timeouts.drainMs + RELEASE_MS)]);
    return 0;
  } finally {
    forgetAddress();
    await services.close();
  }
}

export function listen(services: ServingServices, ofProcess: ProcessDeps = {}): RunningServer {
  const { config, log } = services;
  try {
    return startServer({
      host: config.host,
      port: config.port,
      // A process that takes no calls must not receive those of others on the port: it shares its port only with its
      // siblings.
      sharedPort: ofProcess.isHealthAlone === true ? config.hasSiblings : config.sharedPort,
      log,
      createApp: (port) => createApp(httpDeps(services, withBoundPort(config, port).publicUrl, ofProcess)),
    });
  } catch (error) {
    throw explainUnusableAddress(error, config);
  }
}

/** Calls that run longer than the drain are ended, and charged nothing. */
async function drain(services: ServingServices, server: RunningServer | null): Promise<void> {
  const { running, config } = services;
  const { drainMs } = config.timeouts;
  const cut = setTimeout(() => running.stopAll("shutdown"), drainMs);
  await atMost(callsEnd(running, server, drainMs + RELEASE_MS), drainMs + RELEASE_MS);
  clearTimeout(cut);
}

/** A call whose client has disconnected has no connection for the server to wait for, but it still ends and settles. */
async function callsEnd(running: RunningCalls, server: RunningServer | null, graceMs: number): Promise<void> {
  await server?.stop(graceMs);
  await running.idle();
}

/** An unhandled error is a bug with unknown consequences: better to restart. */
function endOnUnhandledErrors({ log }: ServingServices): void {
  function end(error: unknown): void {
    log.error("unhandled_error", { error });
    void logWritten().finally(() => process.exit(1));
  }
  process.on("unhandledRejection", end);
  process.on("uncaughtException", end);
}
