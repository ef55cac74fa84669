import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { ledgerMoves } from "../../../test/ledger-moves.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { credits, newId } from "../kit/index.ts";
import type { Settlement } from "./settlement.ts";
import { hasServed } from "./store.ts";

/** What a key may do in a minute, and what a repeat is told. */

const DAY_MS = 86_400_000;
const NOW = new Date("2031-01-01T00:00:30Z");
const books = await openLedgerBooks();
const { database, db, ledger, found, grantOf } = books;
const { admit, hold, settle } = ledgerMoves(books);
afterAll(() => database.drop());
beforeEach(() => database.freezeClock(NOW));

describe("a key's own rate", () => {
  test("is the reported limit only when it leaves fewer calls than the organization's rate", async () => {
    const orgId = await found(100);
    const keyId = newId();
    const call = (keyRate: number | null, rate: number) =>
      admissionOf(orgId, 1, { keyId, keyRequestsPerMinute: keyRate, requestsPerMinute: rate });
    const rateOf = async (item: AdmissionCall) => {
      const answer = await admit(item);
      return answer !== undefined && "rate" in answer
        ? [answer.outcome, answer.rate.limit, answer.rate.remaining]
        : answer;
    };
    expect(await rateOf(call(9, 3))).toEqual(["admitted", 3, 2]);
    expect(await rateOf(call(2, 9))).toEqual(["admitted", 2, 0]);
    expect(await rateOf(call(2, 9))).toEqual(["rate_limited", 2, 0]);
    expect(await rateOf(call(9, 2))).toEqual(["rate_limited", 2, 0]);
    await database.advanceClock(30_000);
    expect(await rateOf(call(2, 9))).toEqual(["admitted", 2, 1]);
    // In the next minute as in the first.
    expect(await rateOf(call(2, 9))).toEqual(["admitted", 2, 0]);
    expect(await rateOf(call(2, 9))).toEqual(["rate_limited", 2, 0]);
  });

  test("is enforced when the organization's is barely higher", async () => {
    const orgId = await found(100);
    const changes = { keyId: newId(), keyRequestsPerMinute: 5, requestsPerMinute: 6 };
    const outcomes: unknown[] = [];
    for (let calls = 0; calls < 6; calls++)
      outcomes.push((await admit(admissionOf(orgId, 1, changes)))?.outcome);
    expect(outcomes).toEqual([...Array(5).fill("admitted"), "rate_limited"]);
  });
});

describe("a repeated call", () => {
  const idempotency = { key: "k", fingerprint: new Uint8Array(32) };

  test("returns the balances of both pools after the first one", async () => {
    const orgId = await found(20);
    const expiresAt = new Date(NOW.getTime() + DAY_MS);
    await ledger.grant(grantOf(orgId, 50, { pool: "subscription", expiresAt }));
    await settle(await hold(orgId, 10, { idempotency }), 4, { reply: "{}" });
    await settle(await hold(orgId, 10), 9);
    expect(await admit(admissionOf(orgId, 10, { idempotency }))).toMatchObject({
      ...{ outcome: "replay", charged: credits(4) },
      ...{ subscriptionAfter: credits(46), anytimeAfter: credits(20) },
    });
  });

  test("returns the state of its key's own rate and does not count against it", async () => {
    const orgId = await found(100);
    const limits = { keyId: newId(), keyRequestsPerMinute: 3, requestsPerMinute: 9 };
    const again = (key: Partial<AdmissionCall["idempotency"]> = {}) =>
      admit(admissionOf(orgId, 10, { ...limits, idempotency: { ...idempotency, ...key } }));
    const rate = (remaining: number) => ({ limit: 3, remaining, resetSeconds: 30 });
    const first = await hold(orgId, 10, { ...limits, idempotency });
    expect(await again()).toMatchObject({ outcome: "running", rate: rate(2) });
    const fingerprint = new Uint8Array(32).fill(1);
    expect(await again({ fingerprint })).toMatchObject({ outcome: "conflict", rate: rate(2) });
    await settle(first, 4, { reply: "{}" });
    expect(await again()).toMatchObject({ outcome: "replay", rate: rate(2) });
    expect(await again({ key: "next" })).toMatchObject({ outcome: "admitted", rate: rate(1) });
    expect(await again()).toMatchObject({ outcome: "replay", rate: rate(1) });
    // In a new minute, none is used yet.
    await database.advanceClock(30_000);
    expect(await again()).toMatchObject({ outcome: "replay", rate: { limit: 3, remaining: 3 } });
  });

  test("is recognized for exactly 24 hours", async () => {
    const orgId = await found(100);
    const first = await hold(orgId, 10, { idempotency });
    await settle(first, 4, { reply: "{}" });
    await database.advanceClock(DAY_MS - 1);
    expect(await admit(admissionOf(orgId, 10, { idempotency }))).toMatchObject({ outcome: "replay" });
    await database.advanceClock(1);
    expect(await admit(admissionOf(orgId, 10, { idempotency }))).toMatchObject({ outcome: "admitted" });
  });

  test("is replayed if it cost something or succeeded, and runs again if it failed and cost nothing", async () => {
    const orgId = await found(100);
    const key = (name: string) => ({ idempotency: { ...idempotency, key: name } });
    const endings: [string, number, Partial<Settlement>, string][] = [
      ["paid", 1, { status: "cancelled", reply: null }, "replay"],
      ["free", 0, { status: "succeeded", reply: "{}" }, "replay"],
      ["failed", 0, { status: "failed" }, "admitted"],
    ];
    for (const [name, cost, changes, outcome] of endings) {
      await settle(await hold(orgId, 10, key(name)), cost, changes);
      expect(await admit(admissionOf(orgId, 10, key(name))), name).toMatchObject({ outcome });
    }
  });
});

test("price rules are kept as first written, and show that a gateway has served from this database", async () => {
  const rule = { id: newId(), model: "m", json: '{"a":1}' };
  expect(await hasServed(db)).toBe(false);
  await ledger.recordPriceRules([rule]);
  expect(await hasServed(db)).toBe(true);
  await ledger.recordPriceRules([{ ...rule, json: '{"a":2}' }]);
  const { rows } = await db.pool.query("select model, rule from price_rules where id = $1", [rule.id]);
  expect(rows).toEqual([{ model: "m", rule: { a: 1 } }]);
});

test("the number of settlements that wait for their turn is reported", async () => {
  const orgId = await found(10);
  const calls = await Promise.all(Array.from({ length: 4 }, () => hold(orgId, 1)));
  expect(ledger.waiting).toBe(0);
  const settling = calls.map((call) => ledger.settle(settlementOf(call, credits(1))));
  expect(ledger.waiting).toBeGreaterThan(0);
  await Promise.all(settling);
  expect(ledger.waiting).toBe(0);
});
