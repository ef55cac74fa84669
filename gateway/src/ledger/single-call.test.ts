import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { ledgerRows } from "../../../test/ledger-rows.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { admitOne, isPlain } from "../admission/single-store.ts";
import { admitAll } from "../admission/store.ts";
import { credits, newId } from "../kit/index.ts";
import type { Settlement } from "./settlement.ts";
import { settleOne } from "./single-store.ts";
import { settleAll } from "./store.ts";

const DAY_MS = 86_400_000;
const books = await openLedgerBooks();
const { db, lease, ledger, found, grantOf } = books;
afterAll(() => books.database.drop());

let orgId: string;
beforeEach(async () => {
  await books.database.freezeClock(new Date("2031-01-01T00:00:30Z"));
  orgId = await found(100);
});

const keyed = { key: "k", fingerprint: new Uint8Array(32) };

async function openPeriod(amount: number): Promise<void> {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  const expiresAt = new Date((rows[0]?.now.getTime() ?? 0) + DAY_MS);
  await ledger.grant(grantOf(orgId, amount, { pool: "subscription", expiresAt }));
}

async function admit(changes: Partial<AdmissionCall> = {}, amount = 10): Promise<AdmissionCall> {
  const call = admissionOf(orgId, amount, changes);
  const [answer] = await admitAll(db, lease.current, [call], false);
  expect(answer?.outcome).toBe("admitted");
  return call;
}

/** The short function declines, and no row shows that it was tried. */
async function expectLeft(attempt: () => Promise<unknown>): Promise<void> {
  const before = await ledgerRows(db, orgId);
  expect(await attempt()).toBeNull();
  expect(await ledgerRows(db, orgId)).toEqual(before);
}

describe("the short function to admit", () => {
  const admitted = (call: AdmissionCall) => admitOne(db, lease.current, call);

  test("admits a plain call, from subscription credits first", async () => {
    await openPeriod(4);
    expect(await admitted(admissionOf(orgId, 10, { requestsPerMinute: 60 }))).toEqual({
      outcome: "admitted",
      granted: credits(10),
      rate: { limit: 60, remaining: 59, resetSeconds: 30 },
    });
    expect(await books.balance(orgId)).toBe("0+4 94+6");
  });

  test("admits with all available credits when these cover the minimum", async () => {
    const call = admissionOf(orgId, 10, { full: credits(5_000_000_000) });
    expect(await admitted(call)).toMatchObject({ granted: credits(100) });
  });

  test("admits the first call of a new minute", async () => {
    const call = () => admissionOf(orgId, 1, { requestsPerMinute: 1 });
    expect(await admitted(call())).toMatchObject({ rate: { remaining: 0 } });
    await expectLeft(() => admitted(call()));
    await books.database.advanceClock(30_000);
    expect(await admitted(call())).toMatchObject({ rate: { remaining: 0, resetSeconds: 60 } });
  });

  test.each<[string, Partial<AdmissionCall>]>([
    ["a call that costs more than is available", { minimum: credits(101), full: credits(101) }],
    ["a call beyond the rate", { requestsPerMinute: 0 }],
    ["a call beyond the limit of calls in flight", { inFlight: 0 }],
    ["a minimum above the full amount", { minimum: credits(5), full: credits(1) }],
    ["an organization that does not exist", { orgId: newId() }],
  ])("declines and changes nothing for %s", async (_, changes) => {
    await expectLeft(() => admitted(admissionOf(orgId, 1, changes)));
  });

  test("declines and changes nothing for a process that lost its epoch", async () => {
    const call = admissionOf(orgId, 1);
    await expectLeft(() => admitOne(db, { ...lease.current, epoch: 99 }, call));
  });

  test("declines and changes nothing while an ended period is not yet expired", async () => {
    await openPeriod(50);
    await books.database.advanceClock(DAY_MS);
    await expectLeft(() => admitted(admissionOf(orgId, 1)));
  });

  test.each<[string, Partial<AdmissionCall>]>([
    ["a job", { kind: "job" }],
    ["a call with an idempotency key", { idempotency: keyed }],
    ["a call of a key with its own rate", { keyRequestsPerMinute: 5 }],
    ["a call of a key with its own limit of calls in flight", { keyInFlight: 5 }],
  ])("never accepts %s", async (_, changes) => {
    const call = admissionOf(orgId, 1, changes);
    expect(isPlain(call)).toBe(false);
    await expect(admitted(call)).rejects.toThrow("a plain call");
  });
});

describe("the short function to settle", () => {
  const settle = (call: AdmissionCall, cost: number, changes: Partial<Settlement> = {}) =>
    settleOne(db, settlementOf(call, credits(cost), changes));

  test("charges the cost of a call and returns the rest of its hold", async () => {
    const call = await admit();
    expect(await settle(call, 7)).toEqual({
      outcome: "settled",
      chargedSubscription: credits(0),
      chargedAnytime: credits(7),
      writtenOff: credits(0),
      subscriptionAfter: credits(0),
      anytimeAfter: credits(93),
    });
  });

  test("charges a cost above the hold up to one more hold and writes off the rest", async () => {
    expect(await settle(await admit(), 5_000_000_000)).toMatchObject({
      chargedAnytime: credits(20),
      writtenOff: credits(4_999_999_980),
    });
  });

  test("settles a release without an entry", async () => {
    const call = await admit();
    expect(await settle(call, 0, { status: "failed" })).toMatchObject({ anytimeAfter: credits(100) });
    expect((await ledgerRows(db, orgId))["entries"]).toHaveLength(1);
  });

  test("declines a call that was settled before", async () => {
    const call = await admit();
    await settle(call, 7);
    await expectLeft(() => settle(call, 7));
  });

  test("declines a call that was never held", () => expectLeft(() => settle(admissionOf(orgId, 1), 1)));

  test("declines a call with an idempotency key", async () => {
    const call = await admit({ idempotency: keyed });
    await expectLeft(() => settle(call, 1));
  });

  test("declines a call that counts against its key's calls in flight", async () => {
    const call = await admit({ keyInFlight: 3 });
    await expectLeft(() => settle(call, 1));
  });

  test("declines a job", async () => {
    const call = await admit({ kind: "job" });
    await expectLeft(() => settle(call, 1));
  });

  test("declines a cost that two pools would have to pay", async () => {
    await openPeriod(4);
    const call = await admit();
    await expectLeft(() => settle(call, 5));
    expect(await settle(call, 4)).toMatchObject({
      chargedSubscription: credits(4),
      subscriptionAfter: credits(0),
    });
  });

  test("declines a hold from an earlier period", async () => {
    await openPeriod(10);
    const call = await admit();
    await books.database.advanceClock(DAY_MS);
    await expectLeft(() => settle(call, 1));
    await openPeriod(10);
    await expectLeft(() => settle(call, 1));
    const [settled] = await settleAll(db, "call", [settlementOf(call, credits(1))]);
    expect(settled).toMatchObject({ chargedSubscription: credits(1), subscriptionAfter: credits(10) });
  });
});
