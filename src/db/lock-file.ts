import { spawnSync } from "node:child_process";
import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../kit/index.ts";

/** What `postmaster.pid` says; PostgreSQL writes it line by line while it starts. */
export type Postmaster = {
  readonly pid: number;
  readonly port: number | null;
  readonly listensOnTcp: boolean;
  readonly ready: boolean;
};

export const SOCKET_PORT = 5432;
const WRITING_MS = 10_000;
const LOCK_FILES = ["postmaster.pid", `.s.PGSQL.${SOCKET_PORT}.lock`];

/** The server that holds this cluster; undefined when none does, whatever the files say. */
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
 * PostgreSQL takes over the lock file of a dead process, but not one whose number belongs to some
 * other living process now: in a container, where numbers start low again, it would never start.
 */
export function removeStaleLocks(cluster: string): void {
  for (const name of LOCK_FILES) {
    const path = join(cluster, name);
    const text = readText(path);
    if (text === undefined || isBeingWritten(path, text)) continue;
    // A negative number is a server in single-user mode.
    if (isServerOf(Math.abs(Number.parseInt(text, 10)), cluster)) continue;
    const aside = `${path}.stale-${process.pid}`;
    try {
      renameSync(path, aside);
      // Another starter may have replaced it since we looked: then it is given back.
      if (readText(aside) !== text) linkSync(aside, path);
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ENOENT" && code !== "EEXIST") throw error;
    } finally {
      rmSync(aside, { force: true });
    }
  }
}

/** For an instant a starting server's file is empty; taking that away would end the server later. */
function isBeingWritten(path: string, text: string): boolean {
  if (text.trim() !== "") return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < WRITING_MS;
}

/** A postmaster works in its data directory, which tells it from a stranger with the same number. */
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
