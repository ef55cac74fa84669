import { afterAll, beforeEach, expect, test } from "bun:test";
import { HAVE_ACCOUNT } from "../../../test/behind-lock.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { credits } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";

const books = await openLedgerBooks();
const { db, admitter, ledger, found, balance } = books;
const holder = await db.connect();
afterAll(async () => {
  await holder.end();
  await books.database.drop();
});
async function waitForLocks(forAtMost: string): Promise<void> {
  for (const name of ["ledger_admit", "ledger_admit_one", "ledger_settle", "ledger_settle_one"])
    await db.pool.query(`alter function ${name} set lock_timeout = '${forAtMost}'`);
}
await waitForLocks("20ms");

let locked: string;
let other: string;
/** More items of the locked one than make a batcher give up. */
let owners: readonly string[];
beforeEach(async () => {
  [locked, other] = [await found(100), await found(100)];
  owners = [locked, locked, locked, locked, other, other];
});

/** The outcomes of work that starts while the account of `locked` is locked. */
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

test("calls of other organizations are admitted while one account is locked", async () => {
  const outcomes = await whileLocked(owners.map((of) => () => admitter.admit(admissionOf(of, 1))));
  expect(outcomes).toEqual(owners.map((of) => (of === locked ? TOO_LONG : "admitted")));
});

test("calls of other organizations are settled while one account is locked; its own can be settled later", async () => {
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

/**
 * Once the lock on one account was noticed: work of both organizations, where the other's must not wait for that lock.
 */
async function besideLocked<T>(work: (of: string) => Promise<T>) {
  await holder.query("begin");
  await holder.query(HAVE_ACCOUNT, [locked]);
  const found = await Promise.allSettled([work(locked), work(other)]);
  await waitForLocks("4s");
  const beside = [work(locked), work(locked)];
  const others = await Promise.all([work(other), work(other)]);
  await holder.query("commit");
  const results = { found: found.map(({ status }) => status), others, own: await Promise.all(beside) };
  await waitForLocks("20ms");
  return results;
}

test("calls of other organizations do not wait again for an account that was found locked", async () => {
  const { found, others, own } = await besideLocked((of) => admitter.admit(admissionOf(of, 10)));
  expect(found).toEqual(["rejected", "fulfilled"]);
  const [first, second] = own.map((each) => (each.outcome === "admitted" ? each.rate.remaining : 0));
  // In the order of arrival.
  expect(Number(first) - Number(second)).toBe(1);
  expect(others.map(({ outcome }) => outcome)).toEqual(["admitted", "admitted"]);
  expect([await balance(locked), await balance(other)]).toEqual(["0+0 80+20", "0+0 70+30"]);
  // A single call uses the short function again.
  expect((await admitter.admit(admissionOf(locked, 10))).outcome).toBe("admitted");
  expect((await verifyLedger(db)).faults).toEqual([]);
});

test("settlements of other organizations do not wait again for an account that was found locked", async () => {
  const calls = new Map([locked, other].map((of) => [of, [10, 10, 10].map((most) => admissionOf(of, most))]));
  await Promise.all([...calls.values()].flat().map((call) => admitter.admit(call)));
  const { found, others, own } = await besideLocked((of) => {
    const call = calls.get(of)?.pop();
    if (call === undefined) throw new Error("no call is left");
    return ledger.settle(settlementOf(call, credits(2)));
  });
  expect(found).toEqual(["rejected", "fulfilled"]);
  expect([...others, ...own].map(({ outcome }) => outcome)).toEqual(Array(4).fill("settled"));
  // In the order of arrival: each says what was left after it.
  expect(own.map(({ anytimeAfter }) => Number(anytimeAfter))).toEqual([78, 86]);
  expect([await balance(locked), await balance(other)]).toEqual(["0+0 86+10", "0+0 94+0"]);
  expect((await verifyLedger(db)).faults).toEqual([]);
});

test("calls of an account that was found locked need no connection of the pool", async () => {
  const call = admissionOf(locked, 10);
  await admitter.admit(call);
  const work = [
    () => admitter.admit(admissionOf(locked, 10)),
    () => ledger.settle(settlementOf(call, credits(2))),
  ];
  expect(await whileLocked(work)).toEqual([TOO_LONG, TOO_LONG]);
  const inUse = await Promise.all(Array.from({ length: db.pool.options.max }, () => db.pool.connect()));
  try {
    const outcomes = (await Promise.all(work.map((each) => each()))).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["admitted", "settled"]);
  } finally {
    for (const client of inUse) client.release();
  }
});
