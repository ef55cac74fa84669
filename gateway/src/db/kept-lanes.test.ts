import { afterEach, beforeEach, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { isDatabaseAway, isOutOfConnections } from "./is-away.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

const ROLE = `test_kept_lanes_${process.pid}`;
let made: TestDatabase;
let db: Database;
beforeEach(async () => {
  made = await createTestDatabase();
  await made.db.pool.query(`create role ${ROLE} login password 'x'`);
  const url = made.db.url.replace(/\/\/[^@]*@/, `//${ROLE}:x@`);
  db = connectDatabase({ url, poolSize: 1, log: silentLog });
  // The pool's own connection, which stays: from here on, every missing connection is one of a lane.
  await db.pool.query("select 1");
});
afterEach(async () => {
  await db.close();
  await made.db.pool.query(`drop role ${ROLE}`);
  await made.drop();
});

const allow = (connections: number) =>
  made.db.pool.query(`alter role ${ROLE} connection limit ${connections}`);

async function connections(): Promise<number> {
  const { rows } = await made.db.pool.query(
    "select count(*)::int as count from pg_stat_activity where usename = $1",
    [ROLE],
  );
  return rows[0].count;
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

test("keepOpen opens one connection for each lane before it is used", async () => {
  await db.keepOpen(["settle", "admit"]);
  expect(await connections()).toBe(3);
  await db.isReachable();
  await db.lane("admit").query("select 1", []);
  expect(await connections()).toBe(3);
});

test("a lane without a connection is named, and the database is unreachable until it has one", async () => {
  await allow(2);
  for (const work of [() => db.keepOpen(["settle", "admit", "later"]), () => db.isReachable()]) {
    const error = await errorOf(work());
    expect(String(error)).toMatch(/no connection for admit: .*too many connections for role/);
    expect([isOutOfConnections(error), isDatabaseAway(error)]).toEqual([true, true]);
  }
  await allow(4);
  await db.isReachable();
  expect(await connections()).toBe(4);
});

test("isReachable reopens a kept lane whose connection broke", async () => {
  await db.keepOpen(["settle"]);
  const [own] = await db.lane("settle").query<{ pid: number }>("select pg_backend_pid() as pid", []);
  await allow(1);
  await made.db.pool.query("select pg_terminate_backend($1, 5000)", [own?.pid]);
  // Its end is noticed a moment later.
  while (!isOutOfConnections(await errorOf(db.isReachable()))) await Bun.sleep(5);
  await allow(2);
  await db.isReachable();
  expect(await connections()).toBe(2);
});

test("a lane that is not kept does not affect isReachable", async () => {
  await allow(1);
  expect(isOutOfConnections(await errorOf(db.lane("sweep").query("select 1", [])))).toBe(true);
  await db.isReachable();
});

test("isOutOfConnections is false for other errors", async () => {
  expect(isOutOfConnections(await errorOf(db.pool.query("select 1 / 0")))).toBe(false);
  expect(isOutOfConnections(Object.assign(new Error("no"), { code: "ECONNREFUSED" }))).toBe(false);
});
