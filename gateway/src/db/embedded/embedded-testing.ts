import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { makeTestFolder } from "../../../../test/test-folder.ts";
import { present } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { clusterPaths } from "./cluster-paths.ts";
import { findPostmaster } from "./lock-file.ts";
import type { SystemUser } from "./postgres-user.ts";
import { stopServer } from "./postmaster.ts";

type HolderEvent = { event: string } & Record<string, unknown>;

/** Another process that is attached to a data folder's PostgreSQL. */
type Holder = {
  readonly process: ChildProcess;
  /** The first event of that name, past or future. */
  event(name: string): Promise<HolderEvent>;
  url(): Promise<string>;
  /** Leaves like a draining gateway, then exits. */
  leave(): Promise<void>;
  kill(): Promise<void>;
};

const HOLDER = join(import.meta.dir, "embedded-holder-testing.ts");
const WAIT_MS = 15_000;

export function holdServer(
  dataDir: string,
  options: { user?: SystemUser; bun?: string; durable?: boolean } = {},
): Holder {
  const args = [HOLDER, dataDir, options.durable ? "durable" : "throwaway"];
  const child = spawn(options.bun ?? process.execPath, args, {
    // In its own process group, like a command started by a shell.
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
    ...(options.user ?? {}),
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const seen: HolderEvent[] = [];
  const waiting = new Set<() => void>();
  const lines = createInterface({ input: present(child.stdout, "the output of the holder") });
  lines.on("line", (line) => {
    seen.push(JSON.parse(line) as HolderEvent);
    for (const wake of waiting) wake();
  });

  async function event(name: string): Promise<HolderEvent> {
    const find = () => seen.find((entry) => entry.event === name);
    return present(await eventually(find, `${name} after ${JSON.stringify(seen)}`, waiting), name);
  }

  return {
    process: child,
    event,
    url: async () => String((await event("ready"))["url"]),
    async leave() {
      child.stdin?.end();
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits until `look` finds something; tries again when woken and every few milliseconds. */
export async function eventually<T>(
  look: () => T | undefined | false,
  what: string,
  wakers: Set<() => void> = new Set(),
): Promise<T> {
  const giveUpAt = performance.now() + WAIT_MS;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for ${what}`);
    const woken = Promise.withResolvers<void>();
    wakers.add(woken.resolve);
    await Promise.race([woken.promise, Bun.sleep(10)]);
    wakers.delete(woken.resolve);
  }
}

/** Process id of the server that currently holds the folder. */
export function serverPid(dataDir: string): number | undefined {
  return findPostmaster(clusterPaths(dataDir).cluster)?.pid;
}

export async function queryServer<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Data folders that are removed after the tests, along with any server still running in them. */
export function createDataDirs(): { create(owner?: SystemUser): string; remove(): Promise<void> } {
  const dirs: string[] = [];
  return {
    create(owner) {
      const dir = makeTestFolder();
      if (owner) chownSync(dir, owner.uid, owner.gid);
      dirs.push(dir);
      return dir;
    },
    async remove() {
      for (const dir of dirs) {
        await stopServer(clusterPaths(dir), silentLog);
        rmSync(dir, { recursive: true, force: true });
      }
    },
  };
}
