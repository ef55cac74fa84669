import { expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, isDatabaseAway, isRefusedStatement } from "./index.ts";
import { createTestDatabase } from "./testing.ts";

async function errorOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("it succeeded");
}

test.each(["127.0.0.1:1", "%2Fno%2Fsuch%2Fsocket"])("isDatabaseAway: nothing listens on %s", async (host) => {
  const db = connectDatabase({ url: `postgres://nobody@${host}/none`, poolSize: 1, log: silentLog });
  expect(isDatabaseAway(await errorOf(() => db.pool.query("select 1")))).toBe(true);
  expect(isDatabaseAway(await errorOf(() => db.lane("paid").query("select 1", [])))).toBe(true);
  await db.close();
});

test.each(["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH"])(
  "isDatabaseAway: %s counts as away, not as a refused statement",
  (code) => {
    const error = Object.assign(new Error("getaddrinfo"), { code });
    expect([isDatabaseAway(error), isRefusedStatement(error)]).toEqual([true, false]);
  },
);

test("isDatabaseAway: a connection cut during a statement", async () => {
  const { db, drop } = await createTestDatabase();
  const cut = errorOf(() => db.pool.query("select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)"));
  expect(isDatabaseAway(await cut)).toBe(true);
  await drop();
});

test("isDatabaseAway: a wrong statement does not count", async () => {
  const { db, drop } = await createTestDatabase();
  expect(isDatabaseAway(await errorOf(() => db.pool.query("select * from nowhere")))).toBe(false);
  expect(isDatabaseAway(await errorOf(() => db.pool.query("do $$ begin raise 'gone'; end $$")))).toBe(false);
  expect(isDatabaseAway(new Error("nothing to do with it"))).toBe(false);
  expect(isDatabaseAway(null)).toBe(false);
  await drop();
});

test("isRefusedStatement: an error answer of the server counts, but not an unknown outcome", async () => {
  const { db, drop } = await createTestDatabase();
  const refused = (code: string) =>
    errorOf(() => db.pool.query(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`));
  for (const code of ["53100", "57014", "40001", "25006", "53300"]) {
    const error = await refused(code);
    expect([isRefusedStatement(error), isRefusedStatement(new Error("outer", { cause: error }))]).toEqual([
      ...[true, true],
    ]);
  }
  expect(isRefusedStatement(await refused("40003"))).toBe(false);
  expect(isRefusedStatement(await refused("57P01"))).toBe(false);
  for (const code of ["ECONNRESET", "EPIPE", "EBADF"]) {
    expect(isRefusedStatement(Object.assign(new Error("cut"), { code }))).toBe(false);
  }
  expect(isRefusedStatement(new Error("no answer in time"))).toBe(false);
  await drop();
});

test("isDatabaseAway: the cause of an error counts", () => {
  const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  expect(isDatabaseAway(new Error("outer", { cause: new Error("inner", { cause }) }))).toBe(true);
});
