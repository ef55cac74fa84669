import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterPaths } from "./cluster-paths.ts";
import { createDataDirs, holdServer, queryServer, serverPid } from "./embedded-testing.ts";
import { NOBODY, prepareOtherUser } from "./other-user-testing.ts";

const dataDirs = createDataDirs();
afterAll(() => dataDirs.remove());

const isRoot = process.getuid?.() === 0;
const other = prepareOtherUser();
afterAll(() => other.remove());
if (other.missing) console.log(`Tests with another user are skipped: ${other.missing}.`);
const asNobody = { user: NOBODY, bun: other.bun };

async function expectWorks(
  dataDir: string,
  options: typeof asNobody | undefined = undefined,
): Promise<string> {
  const holder = holdServer(dataDir, options);
  const url = await holder.url();
  expect(await queryServer(url, "select current_database() as name")).toEqual([{ name: "bursar" }]);
  await holder.leave();
  expect(serverPid(dataDir)).toBeUndefined();
  return url;
}

function uidOf(pid: number): number {
  return statSync(`/proc/${pid}`).uid;
}

describe("embedded PostgreSQL: the data folder", () => {
  test("may have a name with spaces, percent signs and any letters", async () => {
    const dataDir = join(dataDirs.create(), "My data 100% für Ünïcode");
    expect(await expectWorks(dataDir)).not.toContain("127.0.0.1");
  });

  test("may have a path too long for a socket: the server then listens on 127.0.0.1", async () => {
    const dataDir = join(dataDirs.create(), "long".repeat(20));
    const url = await expectWorks(dataDir);
    expect(url).toContain("127.0.0.1");
    expect(await expectWorks(dataDir)).toBe(url);
  });

  test("that cannot be created is named with its setting", async () => {
    const file = join(dataDirs.create(), "a-file");
    writeFileSync(file, "");
    const dataDir = join(file, "data");
    const { message } = await holdServer(dataDir).event("failed");
    expect(message).toStartWith(
      `The built-in PostgreSQL cannot start: the data folder ${dataDir} (BURSAR_DATA_DIR) cannot be made (ENOTDIR`,
    );
  });

  test("with an empty password file is refused with the reason", async () => {
    const dataDir = dataDirs.create();
    const { home, password } = clusterPaths(dataDir);
    mkdirSync(home, { recursive: true });
    writeFileSync(password, "\n");
    const { message } = await holdServer(dataDir).event("failed");
    expect(message).toStartWith(
      `The built-in PostgreSQL cannot start: ${password} is empty, and the database cannot be opened without it: restore it from a copy of the folder`,
    );
  });

  test("of another major version is refused, with how to move it", async () => {
    const dataDir = dataDirs.create();
    const { cluster, password } = clusterPaths(dataDir);
    mkdirSync(cluster, { recursive: true });
    writeFileSync(password, "x");
    writeFileSync(join(cluster, "PG_VERSION"), "17\n");
    const { message } = await holdServer(dataDir).event("failed");
    expect(message).toBe(
      `The built-in PostgreSQL cannot start: ${dataDir}/postgres was made by PostgreSQL 17 and this is 18; ` +
        "docs/operate.md explains how to move it with `bursar backup` and `bursar restore`. " +
        "Set DATABASE_URL to use a server of your own.",
    );
  });
});

describe.skipIf(!isRoot)("embedded PostgreSQL run by root", () => {
  test("a folder that PostgreSQL cannot use is refused with PostgreSQL's error and the file's real name", async () => {
    const dataDir = dataDirs.create();
    const { cluster, password } = clusterPaths(dataDir);
    mkdirSync(cluster, { recursive: true, mode: 0o700 });
    writeFileSync(password, "x");
    writeFileSync(join(cluster, "PG_VERSION"), "18\n");
    const { message } = await holdServer(dataDir).event("failed");
    expect(message).toContain(`could not access the server configuration file "${cluster}/postgresql.conf"`);
  });

  test("the server runs as an unprivileged user, also below a folder that this user cannot enter", async () => {
    const closed = dataDirs.create();
    chmodSync(closed, 0o700);
    const dataDir = join(closed, "inner", "data");
    mkdirSync(join(closed, "inner"), { mode: 0o700 });
    const holder = holdServer(dataDir);
    await holder.url();
    const pid = serverPid(dataDir) ?? 0;
    expect(uidOf(pid)).not.toBe(0);
    expect(uidOf(pid)).toBe(statSync(clusterPaths(dataDir).cluster).uid);
    expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^Groups:\s*$/m);
    await holder.leave();
    expect(serverPid(dataDir)).toBeUndefined();
  });

  test.skipIf(other.missing !== undefined)(
    "another user's folder is served as that user, before and after root used it",
    async () => {
      const dataDir = dataDirs.create(NOBODY);
      await expectWorks(dataDir, asNobody);
      const root = holdServer(dataDir);
      await root.url();
      expect(uidOf(serverPid(dataDir) ?? 0)).toBe(NOBODY.uid);
      await root.leave();
      await expectWorks(dataDir, asNobody);
    },
  );

  test.skipIf(other.missing !== undefined)(
    "root's folder is refused to another user, with the reason",
    async () => {
      const dataDir = dataDirs.create();
      const { message } = await holdServer(dataDir, asNobody).event("failed");
      expect(message).toContain(`${dataDir} belongs to another user; BURSAR_DATA_DIR may name`);
      expect(message).toContain("Set DATABASE_URL");
    },
  );
});
