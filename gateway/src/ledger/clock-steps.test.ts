import { afterAll, beforeEach, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf } from "../../../test/paid-items.ts";
import { createAdmitter } from "../admission/index.ts";
import { HOUR_MS, MINUTE_MS } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { type LeaseKeeper, takeLease } from "./lease/lease.ts";
import { sweepHolds } from "./sweeper.ts";
import { loadWrongExpiries, undoExpiries } from "./undo-expiry-store.ts";

const NOW = new Date("2031-01-10T10:00:00Z");
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

const books = await openLedgerBooks();
const { db, ledger, database } = books;
afterAll(() => database.drop());

/** The clock of the processes, which is not the database's. */
let elapsedMs = 0;
const clock = { nowMs: () => elapsedMs, elapsedMs: () => elapsedMs };
let lost = 0;
let orgId: string;
let first: LeaseKeeper;
let second: LeaseKeeper;

/** Two serving processes, each with a call that holds ten credits, and each entitled to judge others. */
beforeEach(async () => {
  await db.pool.query("delete from holds");
  await db.pool.query("delete from processes");
  await database.freezeClock(NOW);
  lost = 0;
  orgId = await books.found(20);
  [first, second] = await Promise.all([join(), join()]);
  for (const lease of [first, second]) {
    const call = admissionOf(orgId, 10, { holdTtlMs: 24 * HOUR_MS });
    expect((await createAdmitter({ db, lease }).admit(call)).outcome).toBe("admitted");
  }
  await pass(LEASE_MS);
});

function join(): Promise<LeaseKeeper> {
  return takeLease({ db, log: silentLog, clock, onLost: () => lost++ });
}

const sweep = () => sweepHolds({ db, log: silentLog, lease: first });

/** Time passes, with a sweep after each renewal, as on every node. */
async function pass(ms: number, alive = [first, second]): Promise<void> {
  for (let passed = 0; passed < ms; passed += RENEW_EVERY_MS) {
    elapsedMs += RENEW_EVERY_MS;
    await database.advanceClock(RENEW_EVERY_MS);
    for (const lease of alive) await lease.renew();
    await sweep();
  }
}

const held = async (): Promise<number> => (await ledger.account(orgId)).anytimeHeld;

test.each([MINUTE_MS, -2 * HOUR_MS])(
  "a step of the database's clock by %d ms ends no running process",
  async (step) => {
    await database.advanceClock(step);
    await sweep();
    await pass(3 * LEASE_MS);
    expect([await held(), lost]).toEqual([20, 0]);
  },
);

test("a step forward ends no process that has not had time to renew its lease since", async () => {
  await database.advanceClock(MINUTE_MS);
  await first.renew();
  await sweep();
  await pass(LEASE_MS);
  expect([await held(), lost]).toEqual([20, 0]);
});

test("a process's own lease is valid at its exact end and found expired a millisecond later", async () => {
  await database.advanceClock(LEASE_MS);
  expect([await sweep(), first.maySweep()]).toEqual([0, true]);
  await database.advanceClock(1);
  expect([await sweep(), first.maySweep()]).toEqual([0, false]);
  expect([await held(), lost]).toEqual([20, 0]);
});

test("a sweep that finds its own lease expired ends nothing and is not allowed again for a whole lease", async () => {
  await ledger.grant(books.grantOf(orgId, 5));
  const short = admissionOf(orgId, 5, { holdTtlMs: MINUTE_MS / 2 });
  await createAdmitter({ db, lease: first }).admit(short);
  await database.advanceClock(MINUTE_MS);
  expect([first.maySweep(), await sweep(), first.maySweep()]).toEqual([true, 0, false]);
  // Where the clock is put right before the next renewal, that one does not notice.
  await database.advanceClock(-MINUTE_MS);
  await pass(LEASE_MS);
  expect(first.maySweep()).toBe(false);
  await pass(RENEW_EVERY_MS);
  expect([first.maySweep(), await held(), lost]).toEqual([true, 25, 0]);
});

test.each([MINUTE_MS, -2 * HOUR_MS, 0])(
  "a process that died before a step of %d ms is ended within three leases",
  async (step) => {
    await database.advanceClock(step);
    await pass(3 * LEASE_MS, [first]);
    expect([await held(), lost]).toEqual([10, 0]);
  },
);

test("a step back that is undone ends no process", async () => {
  await database.advanceClock(-2 * HOUR_MS);
  await sweep();
  await database.advanceClock(2 * HOUR_MS);
  await sweep();
  await pass(2 * LEASE_MS);
  expect([await held(), lost]).toEqual([20, 0]);
});

test("credits expired wrongly by a clock over a minute ahead, but not once their period has ended", async () => {
  const after = (ms: number) => new Date(NOW.getTime() + ms);
  const wrong = async (endMs: number, noticedMs: number, askedMs: number) => {
    await database.freezeClock(NOW);
    const owner = await books.found(0);
    await ledger.grant(books.grantOf(owner, 5, { pool: "subscription", expiresAt: after(endMs) }));
    await database.freezeClock(after(noticedMs));
    await ledger.account(owner);
    await database.freezeClock(after(askedMs));
    return (await loadWrongExpiries(db, owner)).length;
  };
  expect(await wrong(60_000, 60_000, 0)).toBe(0);
  expect(await wrong(60_001, 60_001, 0)).toBe(1);
  expect(await wrong(60_000, 180_000, 60_000)).toBe(0);
});

test("credits that expired wrongly are not put back at the end of their period", async () => {
  const owner = await books.found(0);
  const expiresAt = new Date(NOW.getTime() + HOUR_MS);
  await database.freezeClock(NOW);
  await ledger.grant(books.grantOf(owner, 5, { pool: "subscription", expiresAt }));
  await database.freezeClock(new Date(expiresAt.getTime() + HOUR_MS));
  await ledger.account(owner);
  await database.freezeClock(NOW);
  await ledger.grant(books.grantOf(owner, 1));
  await database.freezeClock(expiresAt);
  expect(await undoExpiries(db, owner)).toMatchObject([{ outcome: "over" }]);
});
