import { closeSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../telemetry/index.ts";
import type { ClusterPaths } from "./cluster-paths.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { findPostmaster, isServerOf, type Postmaster, removeStaleLocks } from "./lock-file.ts";
import { spawnAs, WORKING_DIRECTORY } from "./postgres-process.ts";
import type { SystemUser } from "./postgres-user.ts";
import {
  addressOf,
  listenSettings,
  preferredTransport,
  type ServerAddress,
  socketAddress,
  socketAnswers,
  type Transport,
} from "./server-address.ts";
import { fatalReason, logSize, openServerLog, readLogFrom } from "./server-log.ts";
import { type ServerSettings, settingArgs } from "./server-settings.ts";

export type ServerOptions = {
  readonly paths: ClusterPaths;
  readonly binaries: string;
  readonly user: SystemUser | null;
  readonly settings: ServerSettings;
  readonly log: Log;
};

/** Crash recovery replays at most `max_wal_size`, so anything longer than this is not recovery. */
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 10;
const RESTART_WAIT_MS = 50;

/** A start may be killed from outside; if it fails this often, the cause lies within. */
const MAX_FAILURES = 3;

/**
 * Temporary problems: another process has started the server or taken its port, or processes of the last server are
 * still exiting.
 */
const PASSING =
  /lock file "[^"]*" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/;
const NO_SOCKETS_HERE = /could not create any Unix-domain sockets/;

/**
 * Returns once a server holds this cluster and responds, whether started by us or by another process. `postmaster.pid`
 * is the only lock: of several servers started at once, PostgreSQL lets one live.
 */
export async function ensureRunning(options: ServerOptions): Promise<ServerAddress> {
  const { paths } = options;
  const giveUpAt = performance.now() + READY_TIMEOUT_MS;
  let transport = preferredTransport(paths);
  let problem = "it is still starting";
  let failures = 0;
  while (performance.now() < giveUpAt) {
    const running = findPostmaster(paths.cluster);
    if (running?.ready) return addressOf(paths, running);
    if (running) {
      await Bun.sleep(POLL_MS);
      continue;
    }
    // The server may run in another container with the same folder, where its pid means nothing to us.
    if (transport === "socket" && (await socketAnswers(paths))) return socketAddress(paths);
    const outcome = await start(options, transport, giveUpAt);
    if (outcome.ready) return addressOf(paths, outcome.postmaster);
    problem = outcome.problem;
    if (NO_SOCKETS_HERE.test(outcome.logText)) transport = "tcp";
    else if (!PASSING.test(outcome.logText) && ++failures === MAX_FAILURES)
      throw new EmbeddedPostgresError(problem);
    await Bun.sleep(RESTART_WAIT_MS);
  }
  throw new EmbeddedPostgresError(`${problem} after ${READY_TIMEOUT_MS / 1000} s, see ${paths.log}`);
}

type StartOutcome =
  | { ready: true; postmaster: Postmaster }
  | { ready: false; problem: string; logText: string };

async function start(options: ServerOptions, transport: Transport, giveUpAt: number): Promise<StartOutcome> {
  const { paths } = options;
  removeStaleLocks(paths.cluster);
  const startedAt = performance.now();
  const settings = { ...options.settings, ...(await listenSettings(paths, transport)) };
  const logFile = openServerLog(paths);
  const logStart = logSize(paths);
  const child = spawnAs({
    file: join(options.binaries, "bin", "postgres"),
    args: settingArgs(settings),
    dataDir: paths.cluster,
    user: options.user,
    // Starts its own session: neither Ctrl-C nor the end of our terminal reaches it.
    options: { detached: true, stdio: ["ignore", logFile, logFile] },
  });
  closeSync(logFile);
  child.unref();
  let ended: string | undefined;
  child.on("error", (error) => {
    ended = error.message;
  });
  child.on("exit", (code, signal) => {
    ended ??= signal ? `it was ended by ${signal}` : `it ended with code ${code}, see ${paths.log}`;
  });
  while (ended === undefined && performance.now() < giveUpAt) {
    const postmaster = findPostmaster(paths.cluster);
    if (postmaster?.ready) {
      options.log.debug("postgres_started", {
        pid: postmaster.pid,
        ms: Math.round(performance.now() - startedAt),
      });
      return { ready: true, postmaster };
    }
    await Bun.sleep(POLL_MS);
  }
  const logText = readLogFrom(paths, logStart);
  const reason = fatalReason(logText)?.replaceAll(WORKING_DIRECTORY, paths.cluster);
  return { ready: false, problem: reason ?? ended ?? "it is still recovering", logText };
}

/** Ends running work and stops the server. Call only after making sure that nobody else is attached. */
export async function stopServer(paths: ClusterPaths, log: Log): Promise<void> {
  const running = findPostmaster(paths.cluster);
  if (!running) return;
  process.kill(running.pid, "SIGINT");
  const giveUpAt = performance.now() + STOP_TIMEOUT_MS;
  while (isServerOf(running.pid, paths.cluster)) {
    if (performance.now() > giveUpAt) {
      log.warn("postgres_still_stopping", { pid: running.pid });
      return;
    }
    await Bun.sleep(POLL_MS);
  }
  log.debug("postgres_stopped", { pid: running.pid });
}
