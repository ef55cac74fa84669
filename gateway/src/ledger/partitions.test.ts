import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import type pg from "pg";
import { behindLock } from "../../../test/behind-lock.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { credits } from "../kit/index.ts";
import { makePartitions } from "./partition-store.ts";

const books = await openLedgerBooks();
const { database, db, ledger, admitter } = books;
afterAll(() => database.drop());

let year = 2040;
let reader: pg.Client;

/** Each test has its own year, with its first three months, and somebody who reads requests for a long time. */
beforeEach(async () => {
  year++;
  await database.freezeClock(new Date(`${year}-01-15T00:00:00Z`));
  await makePartitions(db);
  reader = await db.connect();
  await reader.query("begin transaction isolation level repeatable read read only");
  await reader.query("select count(*) from requests");
});
afterEach(() => reader.end());

/** Waits until somebody waits for a lock on requests, or the work is over. */
async function untilJammed(work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) {
    const { rowCount } = await db.pool.query(
      "select 1 from pg_locks where relation = 'requests'::regclass and not granted",
    );
    if (rowCount !== 0) return;
  }
}

test("partitions of this month and the next two are created once", async () => {
  await reader.query("commit");
  await database.freezeClock(new Date(`${year}-06-01T00:00:00Z`));
  expect([await makePartitions(db), await makePartitions(db)]).toEqual([3, 0]);
});

test("only one process at a time creates partitions", async () => {
  await reader.query("commit");
  await database.freezeClock(new Date(`${year}-06-01T00:00:00Z`));
  let isMade = false;
  await behindLock({
    db,
    statement: "select pg_advisory_xact_lock(7201, 3)",
    values: [],
    // As makePartitions does, but waiting for as long as it takes.
    work: async () => {
      await db.pool.query("select make_request_partitions()");
      isMade = true;
    },
    meanwhile: async () => expect(isMade).toBe(false),
  });
  expect(await makePartitions(db)).toBe(0);
});

test("a month whose first id is in the default partition gets none, and the month before it gets one", async () => {
  await reader.query("commit");
  const { rows } = await db.pool.query("select id_at($1) as id", [`${year}-06-01T00:00:00Z`]);
  const call = admissionOf(await books.found(10), 3, { requestId: rows[0]?.id });
  await admitter.admit(call);
  await ledger.settle(settlementOf(call, credits(3)));
  await database.freezeClock(new Date(`${year}-05-01T00:00:00Z`));
  expect([await makePartitions(db), await makePartitions(db)]).toEqual([2, 0]);
});

test("a call is charged while the creation of a new month waits for a long-running reader", async () => {
  const orgId = await books.found(10);
  const call = admissionOf(orgId, 3);
  await admitter.admit(call);
  await database.freezeClock(new Date(`${year}-02-01T00:00:00Z`));
  const making = makePartitions(db);
  await untilJammed(making);
  const { outcome } = await ledger.settle(settlementOf(call, credits(3)));
  expect([outcome, await books.balance(orgId)]).toEqual(["settled", "0+0 7+0"]);
  expect(await making).toBe(0);
});

test("a partition that could not be created is created once the reader has finished", async () => {
  await database.freezeClock(new Date(`${year}-02-01T00:00:00Z`));
  expect(await makePartitions(db)).toBe(0);
  await reader.query("commit");
  expect([await makePartitions(db), await makePartitions(db)]).toEqual([1, 0]);
});

test("a missing partition is an error only from one week before its month", async () => {
  await database.freezeClock(new Date(`${year}-03-24T23:59:59Z`));
  expect(await makePartitions(db)).toBe(0);
  await database.freezeClock(new Date(`${year}-03-25T00:00:00Z`));
  await expect(makePartitions(db)).rejects.toThrow("lock timeout");
});
