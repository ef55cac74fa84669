import { randomBytes } from "node:crypto";
import { type Config, foreignEnvironment, sandboxProgram } from "../../config/index.ts";
import { atMost, present } from "../../kit/index.ts";
import { createLog, type Log } from "../../telemetry/index.ts";
import { keepRunning } from "./keep-running.ts";

const LOOPBACK = "127.0.0.1";
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
 * while; a call meanwhile fails, as with any vendor that is down. It ends when we do, however we end.
 */
export function startSandbox(config: Config, log: Log, given?: readonly string[]): SandboxChild {
  const { sandbox } = config;
  if (sandbox?.baseUrl !== null)
    return { config, environment: {}, listening: Promise.resolve(), stop: async () => {} };
  const program = given ?? [process.execPath, present(sandboxProgram(), "what runs the sandbox")];
  // Known before it listens, so that the rest of our start need not wait.
  let held = hold(0);
  const { port } = held;
  const baseUrl = `http://${LOOPBACK}:${port}/v1`;
  const apiKey = randomBytes(24).toString("base64url");
  const listening = Promise.withResolvers<void>();
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

  async function run() {
    held.stop(true);
    child = Bun.spawn([...program, "--port", String(port), "--with-parent"], {
      env: foreignEnvironment({ BURSAR_SANDBOX_KEY: apiKey }),
      // Bun reads the `.env` of the folder it starts in, and ours may hold every key.
      cwd: import.meta.dir,
      stdin: "pipe",
      stderr: "pipe",
    });
    const [error, code] = await Promise.all([hear(child.stderr), child.exited, hear(child.stdout)]);
    return { code, signal: child.signalCode, error };
  }

  const running = keepRunning(run, ({ code, signal, error }) => {
    log.error("sandbox_ended", { code, signal, error });
    try {
      held = hold(port);
    } catch {
      // Somebody else was faster: the next start says so.
    }
    return true;
  });
  return {
    config: Object.freeze({ ...config, sandbox: Object.freeze({ ...sandbox, baseUrl, apiKey }) }),
    environment: { BURSAR_SANDBOX_URL: baseUrl, BURSAR_SANDBOX_KEY: apiKey },
    listening: atMost(listening.promise, LISTENS_WITHIN_MS),
    async stop() {
      running.stop();
      child?.stdin.end();
      if (!(await atMost(running.done, STOP_WITHIN_MS))) child?.kill("SIGKILL");
      held.stop(true);
    },
  };
}

/** Takes the port while the sandbox does not: another program there would keep it out, and be sent our key. */
function hold(port: number) {
  return Bun.listen({
    hostname: LOOPBACK,
    port,
    socket: { open: (caller) => void caller.terminate(), data() {} },
  });
}
