import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type pg from "pg";
import { createOrganization } from "../../../test/ledger-script.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { createTestDatabase } from "../db/testing.ts";
import { armFailpoint, credits, FailpointError, newId, systemClock } from "../kit/index.ts";
import { createLedger, verifyLedger } from "../ledger/index.ts";
import { takeLease } from "../ledger/lease/lease.ts";
import { silentLog } from "../telemetry/index.ts";
import { createAdmitter } from "./admit.ts";

const database = await createTestDatabase();
const { db } = database;
const lease = await takeLease({ db, log: silentLog, clock: systemClock, onLost: () => {} });
const admitter = createAdmitter({ db, lease });
const ledger = createLedger(db);
afterAll(() => database.drop());

let orgId: string;
beforeEach(async () => {
  orgId = newId();
  await createOrganization(database, orgId);
  await grant(100);
});

function grant(amount: number) {
  return ledger.grant({
    orgId,
    pool: "anytime",
    amount: credits(amount),
    reference: null,
    expiresAt: null,
    kind: "manual",
    description: "test",
  });
}

function fingerprint(text: string): Buffer {
  return Buffer.from(Bun.sha(text).buffer as ArrayBuffer);
}

async function outcomes(calls: Parameters<typeof admitter.admit>[0][]): Promise<string[]> {
  const answers = await Promise.all(calls.map((call) => admitter.admit(call)));
  return answers.map((answer) => answer.outcome);
}

describe("credits", () => {
  test("of many concurrent calls exactly ⌊c/p⌋ are admitted, in order of arrival", async () => {
    const results = await outcomes(Array.from({ length: 20 }, () => admissionOf(orgId, 9)));
    expect(results.filter((outcome) => outcome === "admitted")).toHaveLength(11);
    expect(results.slice(0, 11)).not.toContain("insufficient");
  });

  test("organizations in one batch do not see each other's credits", async () => {
    const others = [newId(), newId(), newId()];
    for (const other of others) await createOrganization(database, other);
    const results = await outcomes([orgId, ...others, orgId].map((id) => admissionOf(id, 60)));
    expect(results).toEqual(["admitted", "insufficient", "insufficient", "insufficient", "insufficient"]);
  });
});

describe("idempotency", () => {
  const idempotency = { key: "k-1", fingerprint: fingerprint("body") };

  test("of a hundred calls with one key one is admitted and the others are reported as running", async () => {
    const results = await outcomes(
      Array.from({ length: 100 }, () => admissionOf(orgId, 1, { idempotency, requestsPerMinute: 5 })),
    );
    expect(results.filter((outcome) => outcome === "admitted")).toHaveLength(1);
    expect(results.filter((outcome) => outcome === "running")).toHaveLength(99);
  });

  test("a repeat gets the first reply, its charge and its balance, and costs neither rate nor credits", async () => {
    const first = admissionOf(orgId, 10, { idempotency, requestsPerMinute: 1 });
    await admitter.admit(first);
    await ledger.settle(settlementOf(first, credits(7), { reply: '{"a":"\\"quoted\\" \\\\ text"}' }));
    const repeat = await admitter.admit(admissionOf(orgId, 10, { idempotency, requestsPerMinute: 1 }));
    expect(repeat).toEqual({
      outcome: "replay",
      requestId: first.requestId,
      reply: '{"a":"\\"quoted\\" \\\\ text"}',
      charged: credits(7),
      subscriptionAfter: credits(0),
      anytimeAfter: credits(93),
      rate: { limit: 1, remaining: expect.any(Number), resetSeconds: expect.any(Number) },
    });
    const account = await ledger.account(orgId);
    expect([account.anytimeAvailable, account.anytimeHeld]).toEqual([credits(93), credits(0)]);
  });

  test("kept replies are read separately from admissions, and concurrent repeats share a read", async () => {
    const first = admissionOf(orgId, 10, { idempotency });
    await admitter.admit(first);
    await ledger.settle(settlementOf(first, credits(7), { reply: '"kept"' }));
    const open = Promise.withResolvers<void>();
    let reading = 0;
    const query = async (asked: pg.QueryConfig) => {
      reading++;
      await open.promise;
      return db.pool.query(asked);
    };
    const slow = createAdmitter({ db: { ...db, pool: { query } as unknown as pg.Pool }, lease });
    const repeats = Array.from({ length: 200 }, () => slow.admit(admissionOf(orgId, 10, { idempotency })));
    // Queued after the repeats, and answered before any of them.
    expect((await slow.admit(admissionOf(orgId, 1))).outcome).toBe("admitted");
    open.resolve();
    const replies = await Promise.all(repeats);
    // The answers of a large batch are delivered in several turns: some may still be asking when the first have theirs.
    expect(reading).toBeLessThan(10);
    expect(replies.every((answer) => answer.outcome === "replay" && answer.reply === '"kept"')).toBe(true);
  });

  test("a different body under the same key is a conflict, while the first runs and after it ended", async () => {
    const other = { key: "k-1", fingerprint: fingerprint("another body") };
    const first = admissionOf(orgId, 10, { idempotency });
    await admitter.admit(first);
    expect(await outcomes([admissionOf(orgId, 1, { idempotency: other })])).toEqual(["conflict"]);
    await ledger.settle(settlementOf(first, credits(7), { reply: "{}" }));
    expect(await outcomes([admissionOf(orgId, 1, { idempotency: other })])).toEqual(["conflict"]);
  });

  test("the same key on another endpoint is another key", async () => {
    await admitter.admit(admissionOf(orgId, 1, { idempotency }));
    expect(await outcomes([admissionOf(orgId, 1, { idempotency, endpoint: "api-v1-images" })])).toEqual([
      "admitted",
    ]);
  });

  test("the same key of another API key is another key: no reply is handed out, and none is in the way", async () => {
    const first = admissionOf(orgId, 10, { idempotency });
    await admitter.admit(first);
    const keyId = newId();
    const second = admissionOf(orgId, 10, { idempotency, keyId });
    expect(await outcomes([second])).toEqual(["admitted"]);
    for (const [call, reply] of [
      [first, '"one"'],
      [second, '"two"'],
    ] as const)
      await ledger.settle(settlementOf(call, credits(7), { reply }));
    for (const [own, reply] of [
      [first, '"one"'],
      [second, '"two"'],
    ] as const)
      expect(await admitter.admit({ ...own, requestId: newId() })).toMatchObject({
        outcome: "replay",
        reply,
      });
    const third = admissionOf(orgId, 10, { idempotency, keyId: newId() });
    expect([await admitter.isRepeat(second), await admitter.isRepeat(third)]).toEqual([true, false]);
  });

  test("a call that failed without a charge frees its key", async () => {
    const first = admissionOf(orgId, 10, { idempotency });
    await admitter.admit(first);
    await ledger.settle(releaseOf(first));
    expect(await outcomes([admissionOf(orgId, 10, { idempotency })])).toEqual(["admitted"]);
  });

  test("a key expires after 24 hours", async () => {
    const first = admissionOf(orgId, 10, { idempotency });
    await admitter.admit(first);
    await ledger.settle(settlementOf(first, credits(1), { reply: "{}" }));
    await database.advanceClock(24 * 3_600_000 + 1000);
    const second = admissionOf(orgId, 10, { idempotency: { key: "k-1", fingerprint: fingerprint("new") } });
    expect(await outcomes([second])).toEqual(["admitted"]);
    await ledger.settle(releaseOf(second));
  });
});

describe("a key's own limits", () => {
  test("a key with a lower rate is stopped while its organization is not", async () => {
    const limited = () => admissionOf(orgId, 1, { keyId: newKeyId, keyRequestsPerMinute: 2 });
    const newKeyId = newId();
    const results = await outcomes([limited(), limited(), limited(), admissionOf(orgId, 1)]);
    expect(results).toEqual(["admitted", "admitted", "rate_limited", "admitted"]);
  });

  test("a key with a lower in-flight limit gets its place back when its call ends", async () => {
    const keyId = newId();
    const limited = () => admissionOf(orgId, 1, { keyId, keyInFlight: 1 });
    const first = limited();
    expect(await outcomes([first, limited()])).toEqual(["admitted", "too_many_in_flight"]);
    await ledger.settle(settlementOf(first, credits(1)));
    expect(await outcomes([limited()])).toEqual(["admitted"]);
  });
});

describe("faults", () => {
  test("calls whose response was lost after the commit are held once", async () => {
    let failures = 1;
    const disarm = armFailpoint("after_hold_sql", () => {
      if (failures-- > 0) throw new FailpointError("the answer was lost");
    });
    const results = await outcomes([admissionOf(orgId, 30), admissionOf(orgId, 30), admissionOf(orgId, 50)]);
    disarm();
    expect(results).toEqual(["admitted", "admitted", "insufficient"]);
    const account = await ledger.account(orgId);
    expect([account.anytimeAvailable, account.anytimeHeld]).toEqual([credits(40), credits(60)]);
  });

  test("a settlement whose response was lost after the commit charges once", async () => {
    const call = admissionOf(orgId, 30);
    await admitter.admit(call);
    let failures = 1;
    const disarm = armFailpoint("after_settle_sql", () => {
      if (failures-- > 0) throw new FailpointError("the answer was lost");
    });
    const settled = await ledger.settle(settlementOf(call, credits(20)));
    disarm();
    expect(settled.outcome).toBe("repeat");
    expect((await ledger.account(orgId)).anytimeAvailable).toBe(credits(80));
  });

  test("a process that lost its epoch cannot admit a call", async () => {
    const zombie = await takeLease({ db, log: silentLog, clock: systemClock, onLost: () => {} });
    const other = createAdmitter({ db, lease: zombie });
    await zombie.leave();
    expect((await other.admit(admissionOf(orgId, 1))).outcome).toBe("lease_lost");
  });

  test("the audit finds no faults after all these tests", async () => {
    expect((await verifyLedger(db)).faults).toEqual([]);
  });
});
