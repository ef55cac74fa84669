import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { isDatabaseAway } from "./is-away.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let made: TestDatabase;
let db: Database;
beforeEach(async () => {
  made = await createTestDatabase();
  await made.db.pool.query("create table counter (n bigint not null)");
  db = connectDatabase({ url: made.db.url, poolSize: 1, log: silentLog });
});
afterEach(async () => {
  await db.close();
  await made.drop();
});

/** Applies to connections made from now on; existing ones keep their setting, as after a failover. */
async function setReadOnly(value: "on" | "off"): Promise<void> {
  await made.db.pool.query(
    `do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`,
  );
}

const COUNT = "insert into counter values (1)";

async function refused(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain("read-only transaction");
  expect(isDatabaseAway(error)).toBe(true);
}

describe("a connection that takes no writes is not used again", () => {
  test("by a lane", async () => {
    await setReadOnly("on");
    const lane = db.lane("paid");
    await refused(lane.query(COUNT, []));
    await setReadOnly("off");
    await lane.query(COUNT, []);
  });

  test("by a transaction", async () => {
    await setReadOnly("on");
    await refused(db.transaction((client) => client.query(COUNT)));
    await setReadOnly("off");
    await db.transaction((client) => client.query(COUNT));
  });

  test("by a transaction, if it was idle while a lane was refused", async () => {
    await setReadOnly("on");
    await db.pool.query("select 1");
    await refused(db.lane("paid").query(COUNT, []));
    await setReadOnly("off");
    await db.transaction((client) => client.query(COUNT));
  });
});

test("a database that takes no writes is unreachable until it takes them", async () => {
  await setReadOnly("on");
  await expect(db.isReachable()).rejects.toThrow("The database takes no writes.");
  await setReadOnly("off");
  await db.isReachable();
});
