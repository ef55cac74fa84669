import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { clusterPaths } from "./cluster-paths.ts";
import { createDataDirs, holdServer, queryServer, serverPid } from "./embedded-testing.ts";

const dataDirs = createDataDirs();
afterAll(() => dataDirs.remove());

describe("embedded PostgreSQL: several processes on one data folder", () => {
  const dataDir = dataDirs.create();

  test("three concurrent first starts share one server, and only the last to leave stops it", async () => {
    const holders = [holdServer(dataDir), holdServer(dataDir), holdServer(dataDir)];
    const urls = await Promise.all(holders.map((holder) => holder.url()));
    expect(new Set(urls).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(["postgres"]);
    const pid = serverPid(dataDir);
    expect(pid).toBeNumber();

    const [first, second, third] = holders;
    await Promise.all([first?.leave(), second?.leave()]);
    expect(serverPid(dataDir)).toBe(pid);
    await third?.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("a process that attaches while the last one leaves always gets a server", async () => {
    let holder = holdServer(dataDir);
    for (let round = 0; round < 6; round++) {
      const url = await holder.url();
      const next = holdServer(dataDir);
      await holder.leave();
      expect(await next.url()).toBe(url);
      expect(await queryServer(url, "select 1 as one")).toEqual([{ one: 1 }]);
      holder = next;
    }
    await holder.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("the server survives a killed process; the next one adopts and stops it", async () => {
    const killed = holdServer(dataDir);
    await killed.url();
    const pid = serverPid(dataDir);
    await killed.kill();
    expect(serverPid(dataDir)).toBe(pid);

    const next = holdServer(dataDir);
    await next.url();
    expect(serverPid(dataDir)).toBe(pid);
    await next.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("several killed processes all count as gone", async () => {
    const killed = [holdServer(dataDir), holdServer(dataDir)];
    await Promise.all(killed.map((holder) => holder.url()));
    await Promise.all(killed.map((holder) => holder.kill()));
    const next = holdServer(dataDir);
    await next.url();
    await next.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test("Ctrl-C reaches the gateway's process group but not the server", async () => {
    const holder = holdServer(dataDir);
    const url = await holder.url();
    process.kill(-(holder.process.pid ?? 0), "SIGINT");
    await holder.event("interrupted");
    expect(await queryServer(url, "select 1 as one")).toEqual([{ one: 1 }]);
    await holder.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  });
});

describe("embedded PostgreSQL that is durable", () => {
  const dataDir = dataDirs.create();

  test("writes to disk before it answers, protects its password and logs no statements", async () => {
    const holder = holdServer(dataDir, { durable: true });
    const url = await holder.url();
    const settings = await queryServer(
      url,
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')",
    );
    expect(settings.map((row) => row["setting"])).toEqual(["on", "on", "on"]);
    await expect(queryServer(url, "select 'a secret word' || no_such_column")).rejects.toThrow(
      "no_such_column",
    );

    const paths = clusterPaths(dataDir);
    expect(statSync(paths.password).mode & 0o777).toBe(0o600);
    expect(statSync(paths.cluster).mode & 0o777).toBe(0o700);
    await holder.leave();
    expect(await Bun.file(paths.log).text()).not.toContain("a secret word");
  });
});
