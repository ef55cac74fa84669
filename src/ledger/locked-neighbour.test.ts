import { afterAll, beforeEach, expect, test } from "bun:test";
import { HAVE_ACCOUNT } from "../../test/behind-lock.ts";
import { openLedgerBooks } from "../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../test/paid-items.ts";
import { credits } from "../kit/index.ts";
import { verifyLedger } from "./audit.ts";

const books = await openLedgerBooks();
const { db, admitter, ledger, found, balance } = books;
const holder = await db.connect();
afterAll(async () => {
  await holder.end();
  await books.database.drop();
});
for (const name of ["ledger_admit", "ledger_settle"])
  await db.pool.query(`alter function ${name} set lock_timeout = '20ms'`);

let locked: string;
let other: string;
/** More of the one that is locked than make a batcher give up. */
let owners: readonly string[];
beforeEach(async () => {
  [locked, other] = [await found(100), await found(100)];
  owners = [locked, locked, locked, locked, other, other];
});

/** What becomes of work that is begun while somebody has the account of one. */
async function whileLocked(work: readonly (() => Promise<{ readonly outcome: string }>)[]) {
  await holder.query("begin");
  await holder.query(HAVE_ACCOUNT, [locked]);
  const outcomes = await Promise.all(
    work.map((each) =>
      each().then(
        ({ outcome }) => outcome,
        (error: Error) => error.message,
      ),
    ),
  );
  await holder.query("commit");
  return outcomes;
}

const TOO_LONG = "canceling statement due to lock timeout";

test("calls of others are admitted while somebody has an organization's account", async () => {
  const outcomes = await whileLocked(owners.map((of) => () => admitter.admit(admissionOf(of, 1))));
  expect(outcomes).toEqual(owners.map((of) => (of === locked ? TOO_LONG : "admitted")));
});

test("and settled; its own are as soon as they can be", async () => {
  const calls = owners.map((of) => admissionOf(of, 10));
  await Promise.all(calls.map((call) => admitter.admit(call)));
  const settle = calls.map((call) => () => ledger.settle(settlementOf(call, credits(2))));
  const outcomes = await whileLocked(settle);
  expect(outcomes).toEqual(owners.map((of) => (of === locked ? TOO_LONG : "settled")));
  const again = await Promise.all(settle.map((each) => each()));
  expect(again.map(({ outcome }) => outcome === "repeat")).toEqual(owners.map((of) => of === other));
  expect([await balance(locked), await balance(other)]).toEqual(["0+0 92+0", "0+0 96+0"]);
  expect((await verifyLedger(db)).faults).toEqual([]);
});
