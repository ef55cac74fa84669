import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterPaths } from "./cluster-paths.ts";
import { createDataDirs, eventually, holdServer, queryServer, serverPid } from "./embedded-testing.ts";

const dataDirs = createDataDirs();
afterAll(() => dataDirs.remove());

describe("embedded PostgreSQL after a crash", () => {
  const dataDir = dataDirs.create();
  let written = 0;

  async function write(url: string): Promise<void> {
    written++;
    await queryServer(
      url,
      `create table if not exists kept (id int primary key); insert into kept values (${written})`,
    );
  }

  async function expectEverythingKept(): Promise<void> {
    const holder = holdServer(dataDir);
    const rows = await queryServer<{ id: number }>(await holder.url(), "select id from kept order by id");
    expect(rows.map((row) => row.id)).toEqual(Array.from({ length: written }, (_, index) => index + 1));
    await holder.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  }

  function killServer(): void {
    const pid = serverPid(dataDir);
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  }

  beforeEach(() => {
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("of the server: an attached process restarts it", async () => {
    const holder = holdServer(dataDir);
    const url = await holder.url();
    await write(url);
    killServer();
    await holder.event("postgres_back");
    await write(url);
    await holder.leave();
    await expectEverythingKept();
  });

  test("of the server with two attached processes: it is restarted for both", async () => {
    const holders = [holdServer(dataDir), holdServer(dataDir)];
    const [url = ""] = await Promise.all(holders.map((holder) => holder.url()));
    await write(url);
    killServer();
    await Promise.all(holders.map((holder) => holder.event("postgres_back")));
    await write(url);
    await Promise.all(holders.map((holder) => holder.leave()));
    await expectEverythingKept();
  });

  test("of the gateway and then of the server: the next start recovers", async () => {
    const holder = holdServer(dataDir);
    await write(await holder.url());
    await holder.kill();
    killServer();
    await expectEverythingKept();
  });

  test("of everything together: the next start recovers", async () => {
    const holder = holdServer(dataDir);
    const url = await holder.url();
    await write(url);
    const backends = await queryServer<{ pid: number }>(url, "select pid from pg_stat_activity");
    const pids = [serverPid(dataDir), holder.process.pid, ...backends.map((row) => row.pid)];
    for (const pid of pids) {
      try {
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      } catch {
        // The process of the query above is already gone.
      }
    }
    await expectEverythingKept();
  });

  test("stale lock files are ignored although another process has their process id now", async () => {
    const { cluster } = clusterPaths(dataDir);
    const left = `${process.pid}\n/proc/self/cwd\n1\n5432\n.\n\n  1 1\nready   \n`;
    writeFileSync(join(cluster, "postmaster.pid"), left);
    writeFileSync(join(cluster, ".s.PGSQL.5432.lock"), left);
    await expectEverythingKept();
  });
});

describe("embedded PostgreSQL: a first start that is killed", () => {
  test("while initdb runs does not disturb the next start", async () => {
    const dataDir = dataDirs.create();
    const killed = holdServer(dataDir);
    await eventually(() => {
      const draft = readdirSync(dataDir).find((name) => name.startsWith(".postgres-draft"));
      return draft !== undefined && existsSync(join(dataDir, draft, "cluster", "global"));
    }, "initdb at work");
    await killed.kill();
    expect(readdirSync(dataDir)).not.toContain("postgres");

    const next = holdServer(dataDir);
    expect(await queryServer(await next.url(), "select 1 as one")).toEqual([{ one: 1 }]);
    await next.leave();
    // The orphaned initdb may have gone on writing while its draft was removed; a later start removes the rest.
    await eventually(() => {
      const drafts = readdirSync(dataDir).filter((name) => name.startsWith(".postgres-draft"));
      return drafts.length === 0 || drafts.every((name) => name.includes(String(killed.process.pid)));
    }, "no draft of the next start");
  });
});
