import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let made: TestDatabase;
let db: Database;
beforeEach(async () => {
  made = await createTestDatabase({ poolSize: 2 });
  db = connectDatabase({ url: made.db.url, poolSize: 1, log: silentLog });
});
afterEach(async () => {
  await db.close();
  await made.drop();
});

async function setOfDatabase(setting: string, value: string): Promise<void> {
  await made.db.pool.query(
    `do $$ begin execute format('alter database %I set ${setting} = %L', current_database(), '${value}'); end $$`,
  );
}

/** The setting's value in every kind of our sessions: pooled, in a transaction, alone, and on the paid path. */
async function shown(setting: string): Promise<unknown[]> {
  const show = `select current_setting('${setting}') as value`;
  const pooled = (await db.pool.query(show)).rows[0]?.value;
  const within = await db.transaction(async (client) => (await client.query(show)).rows[0]?.value);
  const alone = await db.connect();
  const own = (await alone.query(show)).rows[0]?.value;
  await alone.end();
  const [lane] = await db.lane("paid").query<{ value: string }>(show, []);
  return [pooled, within, own, lane?.value];
}

describe("settings of the database itself", () => {
  test.each([
    ["off", "on"],
    ["on", "on"],
    ["local", "local"],
    ["remote_write", "remote_write"],
    ["remote_apply", "remote_apply"],
  ])("synchronous_commit = %s is %s in each of our sessions", async (set, expected) => {
    await setOfDatabase("synchronous_commit", set);
    expect(await shown("synchronous_commit")).toEqual([expected, expected, expected, expected]);
  });

  test("do not change the isolation level of our sessions", async () => {
    await setOfDatabase("default_transaction_isolation", "serializable");
    expect(await shown("transaction_isolation")).toEqual(Array(4).fill("read committed"));
  });

  test("do not change the time zone of our sessions from UTC", async () => {
    await setOfDatabase("timezone", "Europe/Berlin");
    expect(await shown("timezone")).toEqual(Array(4).fill("UTC"));
  });
});

test.each([
  ["datestyle", "SQL, DMY", "ISO, MDY"],
  ["standard_conforming_strings", "off", "on"],
])("%s = %s on the database does not apply to our sessions", async (setting, set, expected) => {
  await setOfDatabase(setting, set);
  expect(await shown(setting)).toEqual(Array(4).fill(expected));
});

test.each(["idle_session_timeout", "transaction_timeout"])(
  "%s on the database does not apply to our sessions",
  async (setting) => {
    await setOfDatabase(setting, "50s");
    expect(await shown(setting)).toEqual(Array(4).fill("0"));
  },
);

test("a separate connection has no time limits, whatever the database sets", async () => {
  const limits = [
    ...["statement_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"],
    "transaction_timeout",
  ];
  for (const limit of limits) await setOfDatabase(limit, "50s");
  const alone = await db.connect();
  const shownAlone = limits.map((limit) => `current_setting('${limit}') as ${limit}`).join();
  const { rows } = await alone.query(`select ${shownAlone}`);
  await alone.end();
  expect(Object.values(rows[0])).toEqual(Array(4).fill("0"));
});

test("a lane that lost its connection commits durably on the next one, too", async () => {
  await setOfDatabase("synchronous_commit", "off");
  const lane = db.lane("paid");
  const [before] = await lane.query<{ pid: number }>("select pg_backend_pid() as pid", []);
  await made.db.pool.query("select pg_terminate_backend($1)", [before?.pid]);
  let after: { pid: number; value: string; lock_timeout: string } | undefined;
  for (let tries = 0; after === undefined && tries < 10; tries++) {
    const ask = `select pg_backend_pid() as pid, current_setting('synchronous_commit') as value,
      current_setting('lock_timeout') as lock_timeout`;
    [after] = await lane.query<{ pid: number; value: string; lock_timeout: string }>(ask, []).catch(() => []);
  }
  expect(after?.lock_timeout).toBe("1s");
  expect(after?.pid).not.toBe(before?.pid);
  expect(after?.value).toBe("on");
});

test("concurrent calls while a lane opens share its connection", async () => {
  const lane = db.lane("paid");
  const pids = await Promise.all(
    Array.from({ length: 5 }, () => lane.query<{ pid: number }>("select pg_backend_pid() as pid", [])),
  );
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(1);
});
