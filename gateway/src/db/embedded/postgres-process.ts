import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { codeOf } from "../../kit/index.ts";
import type { SystemUser } from "./postgres-user.ts";

/** Only what PostgreSQL needs: none of our secrets, and no PG* variable that would redirect it. */
const CHILD_ENV = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  // By default, glibc returns a connection's memory to the system after every transaction, and the next one requests it
  // again: a third more CPU wherever small and large transactions alternate. A connection may keep a megabyte.
  MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
};
const MAX_OUTPUT_BYTES = 64 * 1024;

/** How a program that was given its data directory as below refers to it in messages. */
export const WORKING_DIRECTORY = "/proc/self/cwd";

/**
 * Passes the data directory to a PostgreSQL program. The database's user may not be allowed to traverse the parent
 * folders, but a working directory that was entered as root stays accessible.
 */
function dataDirArgs(dataDir: string, user: SystemUser | null): string[] {
  return ["-D", user !== null && process.platform === "linux" ? WORKING_DIRECTORY : dataDir];
}

type Program = { file: string; args: string[]; dataDir: string; user: SystemUser | null };

export function spawnAs(input: Program & { options: SpawnOptions }): ChildProcess {
  return spawn(input.file, [...dataDirArgs(input.dataDir, input.user), ...input.args], {
    ...input.options,
    ...(input.user ?? {}),
    cwd: input.dataDir,
    env: CHILD_ENV,
  });
}

/** Runs a program to its end, for at most `timeoutMs`. */
export async function runAs(
  input: Program & { timeoutMs: number },
): Promise<{ code: number; output: string }> {
  const child = spawnAs({
    ...input,
    options: { stdio: ["ignore", "pipe", "pipe"], timeout: input.timeoutMs },
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    if (output.length < MAX_OUTPUT_BYTES) output += chunk.toString();
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code, signal) => {
      resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output });
    });
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
