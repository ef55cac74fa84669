import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../bench/baselines.ts";
import { sandboxEnvironment } from "../sandbox.ts";

/** A whole `npm test` bundles it once. */
export const MAIN =
  process.env["BUNDLED_GATEWAY"] ?? join(import.meta.dir, "..", "..", "gateway", "src", "main.ts");
const START_LIMIT_MS = 20_000;

/**
 * Another gateway on the same database, in its own process, which a test can kill and stop. For tests of what happens
 * to the others; `startTestGateway` runs in this process.
 */
export type NodeProcess = {
  readonly origin: string;
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Its exit code; null if a signal killed it. */
  readonly exited: Promise<number | null>;
  /** Ends it if it is still running, and deletes its folder. */
  remove(): Promise<void>;
};

/** `wrapper` is a command that runs the command after it, such as one that first sets a limit. */
export async function startNode(
  databaseUrl: string,
  environment: Record<string, string> = {},
  wrapper: readonly string[] = [],
): Promise<NodeProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "bursar-node-"));
  const child = Bun.spawn([...wrapper, process.execPath, MAIN, "serve"], {
    cwd: dataDir,
    env: {
      PATH: process.env["PATH"] ?? "",
      // Bun keeps there what it has parsed: a sixth of the CPU of a start.
      HOME: process.env["HOME"] ?? "/nonexistent",
      DATABASE_URL: databaseUrl,
      BURSAR_DATA_DIR: dataDir,
      BURSAR_DEMO: "false",
      ...sandboxEnvironment(),
      BURSAR_LOG_LEVEL: "silent",
      // Not one of the system's: a test that finds the port closed must not meet the server of another.
      PORT: String(freePort()),
      ...environment,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const exited = child.exited.then(() => child.exitCode);
  const remove = async () => {
    child.kill("SIGKILL");
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const origin = await originIn(child.stdout);
    return { origin, pid: child.pid, signal: (signal) => child.kill(signal), exited, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function originIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  const limit = setTimeout(() => void reader.cancel().catch(() => {}), START_LIMIT_MS);
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the node ended before it was up: ${text}`);
      text += decoder.decode(value, { stream: true });
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (origin !== undefined && text.includes("Ctrl-C")) return origin;
    }
  } finally {
    clearTimeout(limit);
    reader.releaseLock();
  }
}
