import { join } from "node:path";
import { CliError, type ServeOptions, type Terminal } from "../cli/index.ts";
import { type Config, childEnvironment, ownOrigin } from "../config/index.ts";
import { EMBEDDED_MAX_CONNECTIONS } from "../db/index.ts";
import { openServices, warnOfUnknownSettings } from "../services.ts";
import type { Log } from "../telemetry/index.ts";
import { VERSION } from "../version.ts";
import { connectionsOf } from "./connections.ts";
import { prepareFirstStart } from "./first-start.ts";
import { requireFreeAddress } from "./listening-address.ts";
import { serveWithoutOutput } from "./lost-output.ts";
import { warnAtStart } from "./start-warnings.ts";
import { startedUnlessStopped, stopSignal } from "./stop-signals.ts";
import { welcome } from "./welcome.ts";
import { createMetricsExchange, type MetricsPeer } from "./worker-metrics.ts";

const MAIN = join(import.meta.dir, "..", "main.ts");
/** What keeps Bun from the settings of the folder that we were called in, if we were told so (`scripts/launch.mjs`). */
const OWN_FLAGS = process.execArgv.filter((flag) => /^--(no-env-file$|config=)/.test(flag));
const FIRST_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
/** A worker that ran for this long starts again soon: its end was no consequence of its start. */
const STEADY_MS = 60_000;
/** For the parent and for commands that somebody runs meanwhile. */
const CONNECTIONS_KEPT_FREE = 20;

/**
 * Several serving processes on one port. The parent serves nothing: it prepares the database, starts its
 * workers, starts again what dies, and passes the signal to stop on.
 */
export async function serveWorkers(
  input: ServeOptions & { config: Config; terminal: Terminal },
): Promise<number> {
  const { config, terminal, wantsJson } = input;
  requireConnections(config, input.workers);
  if (config.port === 0) throw new CliError("--workers needs a fixed PORT: the workers share it.", 2);
  const serves = input.role !== "worker";
  // Before anything is made: whoever says by hand that others may listen there knows of them; who takes no calls must not get theirs.
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
    const workers: readonly SupervisedWorker[] = Array.from({ length: input.workers }, (_, index) =>
      superviseWorker({ ...input, index, log, exchange }),
    );
    try {
      const ready = Promise.all(workers.map((worker) => worker.ready)).then(() => "ready" as const);
      const failed = Promise.race(workers.map((worker) => worker.neverReady));
      const start = await Promise.race([ready, stopped, failed]);
      if (start === "ready") {
        // Not before: of a start that fails nobody sees the key that is shown once.
        const healthOrigin = config.portGiven ? ownOrigin(config.host, config.port) : null;
        const beginning = serves ? await prepareFirstStart(services) : { demo: null, healthOrigin };
        terminal.write(
          welcome({ config: serves ? config : null, version: VERSION, ...beginning, wantsJson }),
        );
        await stopped;
      }
      return typeof start === "number" ? start : 0;
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  } finally {
    await services.close();
  }
}

/** Found out at the start, not by the worker that is one too many under load. */
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

type SupervisedWorker = MetricsPeer & {
  readonly ready: Promise<void>;
  /** Resolves with its exit code if the first start fails: the next would fail for the same reason. */
  readonly neverReady: Promise<number>;
  stop(): Promise<void>;
};

function superviseWorker(input: {
  role: ServeOptions["role"];
  index: number;
  log: Log;
  exchange: ReturnType<typeof createMetricsExchange>;
}): SupervisedWorker {
  const { log, index } = input;
  let stopping = false;
  let restartMs = FIRST_RESTART_MS;
  let child: Bun.Subprocess;
  let wake = () => {};
  let wasReady = false;
  const ready = Promise.withResolvers<void>();
  const neverReady = Promise.withResolvers<number>();

  function start(): Bun.Subprocess {
    return Bun.spawn([process.execPath, ...OWN_FLAGS, MAIN, "serve", "--role", input.role], {
      env: childEnvironment({ BURSAR_SHARED_PORT: "true", BURSAR_SIBLINGS: "true" }),
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (message, from) => {
        // What it had counted is kept with that of others who ended.
        if (hasEnded(from)) return;
        if (message !== "ready") return input.exchange.received(worker, message);
        wasReady = true;
        ready.resolve();
      },
    });
  }

  async function keepRunning(): Promise<void> {
    while (!stopping) {
      const startedMs = performance.now();
      child = start();
      const code = await child.exited;
      input.exchange.ended(worker);
      if (stopping) return;
      log.error("worker_ended", { index, code, signal: child.signalCode });
      if (!wasReady) return neverReady.resolve(code === 0 ? 1 : code);
      if (performance.now() - startedMs > STEADY_MS) restartMs = FIRST_RESTART_MS;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, restartMs);
      });
      restartMs = Math.min(restartMs * 2, MAX_RESTART_MS);
    }
  }

  const worker: SupervisedWorker = {
    ready: ready.promise,
    neverReady: neverReady.promise,
    send(message) {
      // Between two lives of a worker there is nobody to tell.
      try {
        child.send(message);
        return !hasEnded(child);
      } catch {
        return false;
      }
    },
    async stop() {
      stopping = true;
      wake();
      child.kill("SIGTERM");
      await running;
    },
  };
  const running = keepRunning();
  return worker;
}

function hasEnded({ exitCode, signalCode }: Bun.Subprocess): boolean {
  return exitCode !== null || signalCode !== null;
}
