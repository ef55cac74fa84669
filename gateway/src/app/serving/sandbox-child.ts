import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Config, foreignEnvironment } from "../../config/index.ts";
import { atMost } from "../../kit/index.ts";
import { createLog, type Log } from "../../telemetry/index.ts";
import { createRestartBackoff } from "./restart-backoff.ts";

const PROGRAM = join(import.meta.dir, "../../../../sandbox/bin/bursar-sandbox.ts");
/**
 * Flags that keep Bun from reading the current folder's settings, if we were started with them (`scripts/launch.mjs`).
 */
export const OWN_FLAGS = process.execArgv.filter((flag) => /^--(no-env-file$|config=)/.test(flag));
const LOOPBACK = "127.0.0.1";
const FIRST_RESTART_MS = 500;
const STOP_WITHIN_MS = 5_000;
/** It starts beside the database, which hardly ever takes less. */
const LISTENS_WITHIN_MS = 2_000;
const MAX_WORDS = 500;

export type SandboxChild = {
  /** The configuration with its address and key. */
  readonly config: Config;
  /** What a worker of ours needs to reach it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves once it says that it listens, or why it cannot; if it says nothing, after a short time. */
  readonly listening: Promise<unknown>;
  stop(): Promise<void>;
};

/** Runs what needs the sandbox: all of serving. Installs it first: a call that finds nobody there is refused. */
export async function besideSandbox(
  config: Config,
  run: (sandbox: SandboxChild) => Promise<number>,
): Promise<number> {
  if (config.sandbox?.baseUrl === null)
    await (await import("../../../../scripts/install-dependencies.mjs")).installSandbox();
  const sandbox = startSandbox(config, createLog({ level: config.logLevel, keyPrefix: config.keyPrefix }));
  try {
    return await run(sandbox);
  } finally {
    await sandbox.stop();
  }
}

/**
 * Starts the sandbox beside us, if it is on and has no URL, and again whenever it ends. It listens on one port all the
 * while; a call meanwhile finds nobody there, as with any vendor that is down. It ends when we do, however we end.
 */
export function startSandbox(
  config: Config,
  log: Log,
  program: readonly string[] = [process.execPath, PROGRAM],
): SandboxChild {
  const { sandbox } = config;
  if (sandbox?.baseUrl !== null)
    return { config, environment: {}, listening: Promise.resolve(), stop: async () => {} };
  const port = freePort();
  const baseUrl = `http://${LOOPBACK}:${port}/v1`;
  const apiKey = randomBytes(24).toString("base64url");
  const restarts = createRestartBackoff(FIRST_RESTART_MS);
  const listening = Promise.withResolvers<void>();
  let stopping = false;
  let child: Bun.PipedSubprocess | undefined;

  /** The last words. Reads on to the end, so that the writer never waits. */
  async function hear(output: ReadableStream<Uint8Array>) {
    let words = "";
    for await (const piece of output) {
      listening.resolve();
      words = (words + Buffer.from(piece)).slice(-MAX_WORDS);
    }
    return words.trim();
  }

  async function keepRunning() {
    while (!stopping) {
      const startedMs = performance.now();
      try {
        child = Bun.spawn([...program, "--port", String(port), "--with-parent"], {
          env: foreignEnvironment({ BURSAR_SANDBOX_KEY: apiKey }),
          // Bun reads the `.env` of the folder it starts in, and ours may hold every key.
          cwd: import.meta.dir,
          stdin: "pipe",
          stderr: "pipe",
        });
        const [error, code] = await Promise.all([hear(child.stderr), child.exited, hear(child.stdout)]);
        if (stopping) return;
        log.error("sandbox_ended", { code, signal: child.signalCode, error });
      } catch (error) {
        // No process can be started, for lack of memory perhaps.
        log.error("sandbox_ended", { error });
      }
      await restarts.wait(performance.now() - startedMs);
    }
  }

  const running = keepRunning();
  return {
    config: Object.freeze({ ...config, sandbox: Object.freeze({ ...sandbox, baseUrl, apiKey }) }),
    environment: { BURSAR_SANDBOX_URL: baseUrl, BURSAR_SANDBOX_KEY: apiKey },
    listening: atMost(listening.promise, LISTENS_WITHIN_MS),
    async stop() {
      stopping = true;
      restarts.wake();
      child?.stdin.end();
      if (!(await atMost(running, STOP_WITHIN_MS))) child?.kill("SIGKILL");
    },
  };
}

/** Known before it listens, so that the rest of our start need not wait. */
function freePort(): number {
  const probe = Bun.listen({ hostname: LOOPBACK, port: 0, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
}
