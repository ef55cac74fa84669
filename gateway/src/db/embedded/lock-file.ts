import { spawnSync } from "node:child_process";
import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../kit/index.ts";

/** The contents of `postmaster.pid`; PostgreSQL writes it line by line while it starts. */
export type Postmaster = {
  readonly pid: number;
  readonly port: number | null;
  readonly listensOnTcp: boolean;
  readonly ready: boolean;
};

export const SOCKET_PORT = 5432;
const WRITING_MS = 10_000;
const LOCK_FILES = ["postmaster.pid", `.s.PGSQL.${SOCKET_PORT}.lock`];

/** The server that holds this cluster; undefined if none does, whatever the file says. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const lines = readText(join(cluster, "postmaster.pid"))?.split("\n");
  const pid = Number(lines?.[0] ?? 0);
  if (!lines || !isServerOf(pid, cluster)) return undefined;
  return {
    pid,
    port: Number(lines[3] ?? 0) || null,
    listensOnTcp: (lines[5] ?? "") !== "",
    ready: (lines[7] ?? "").trim() === "ready",
  };
}

/**
 * PostgreSQL takes over the lock file of a dead process, but not if its pid now belongs to some other process. In a
 * container, where pids start low again, it would never start.
 */
export function removeStaleLocks(cluster: string): void {
  for (const name of LOCK_FILES) {
    const path = join(cluster, name);
    const text = readText(path);
    if (text === undefined || isBeingWritten(path, text)) continue;
    // A negative pid is a server in single-user mode.
    if (isServerOf(Math.abs(Number.parseInt(text, 10)), cluster)) continue;
    const aside = `${path}.stale-${process.pid}`;
    try {
      renameSync(path, aside);
      // Another starting process may have replaced it meanwhile: then it is put back.
      if (readText(aside) !== text) linkSync(aside, path);
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ENOENT" && code !== "EEXIST") throw error;
    } finally {
      rmSync(aside, { force: true });
    }
  }
}

/** A starting server's file is empty for an instant; removing that would make the server stop later. */
function isBeingWritten(path: string, text: string): boolean {
  if (text.trim() !== "") return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < WRITING_MS;
}

/** A postmaster's working directory is its data directory, which tells it from another process with the same pid. */
export function isServerOf(pid: number, cluster: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    } catch {
      return false;
    }
  }
  const asked = spawnSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8", timeout: 5_000 });
  return asked.status === 0 && asked.stdout.includes("postgres") && asked.stdout.includes(cluster);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
