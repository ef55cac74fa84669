import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { ledgerMoves } from "../../../test/ledger-moves.ts";
import { ledgerRows } from "../../../test/ledger-rows.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { credits, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { settleOne } from "./single-store.ts";
import { settleAll } from "./store.ts";

/** Boundary cases: the exact moment, the last credit, the exact row, where `<` and `<=` differ. */

const DAY_MS = 86_400_000;
const NOW = new Date("2031-01-01T00:00:30Z");
const books = await openLedgerBooks();
const { database, db, ledger, found, grantOf, balance } = books;
const { admit, hold, settle } = ledgerMoves(books);
const PRICE_RULE = { id: "rule", model: "sandbox-chat", json: "{}" };
await ledger.recordPriceRules([PRICE_RULE]);
afterAll(() => database.drop());
beforeEach(() => database.freezeClock(NOW));

async function openPeriod(orgId: string, amount: number): Promise<void> {
  const expiresAt = new Date(NOW.getTime() + DAY_MS);
  const { outcome } = await ledger.grant(grantOf(orgId, amount, { pool: "subscription", expiresAt }));
  expect(outcome).toBe("granted");
}

/** Type, pool and amount of each entry; also audits the organization. */
async function entries(orgId: string): Promise<string[]> {
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  const { rows } = await db.pool.query<{ entry: string }>(
    "select type || ' ' || pool || ' ' || amount as entry from entries where org_id = $1 order by seq",
    [orgId],
  );
  return rows.map(({ entry }) => entry);
}

describe("when a period has ended", () => {
  test("the first call to notice finds none of its credits left", async () => {
    const orgId = await found(100);
    await openPeriod(orgId, 50);
    await database.advanceClock(DAY_MS);
    expect(await admit(admissionOf(orgId, 101))).toMatchObject({
      outcome: "insufficient",
      available: credits(100),
    });
    expect(await entries(orgId)).toEqual([
      "grant anytime 100",
      "grant subscription 50",
      "expire subscription -50",
    ]);
  });

  test("the first settlement to notice pays from its own hold, then from anytime credits", async () => {
    const orgId = await found(100);
    await openPeriod(orgId, 50);
    const call = await hold(orgId, 10);
    await database.advanceClock(DAY_MS);
    expect(await settle(call, 15)).toMatchObject({
      chargedSubscription: credits(10),
      chargedAnytime: credits(5),
    });
    expect(await balance(orgId)).toBe("0+0 95+0");
    expect((await entries(orgId)).slice(2)).toEqual([
      "expire subscription -40",
      "charge subscription -10",
      "charge anytime -5",
    ]);
  });

  test("the low-balance check counts only what calls hold of it, even before the expiry is recorded", async () => {
    const orgId = await found(100);
    await openPeriod(orgId, 50);
    await hold(orgId, 10);
    const standing = async () => {
      const { rows } = await db.pool.query(
        "select b.* from accounts a cross join lateral balance_standing(a, 111, 0) b where a.org_id = $1",
        [orgId],
      );
      return rows;
    };
    expect(await standing()).toEqual([{ available: "150", granted: "50", is_low: false }]);
    await database.advanceClock(DAY_MS);
    expect(await standing()).toEqual([{ available: "110", granted: "0", is_low: true }]);
  });

  test("concurrent readers expire it once", async () => {
    const orgId = await found(0);
    await openPeriod(orgId, 50);
    await database.advanceClock(DAY_MS);
    const seen = await Promise.all(Array.from({ length: 16 }, () => balance(orgId)));
    expect(new Set(seen)).toEqual(new Set(["0+0 0+0"]));
    expect(await entries(orgId)).toEqual(["grant subscription 50", "expire subscription -50"]);
  });

  test("a reader waits while another records the expiry, and then finds it done", async () => {
    const orgId = await found(0);
    await openPeriod(orgId, 50);
    await database.advanceClock(DAY_MS);
    const first = await db.pool.connect();
    await first.query("begin");
    await first.query("select ledger_account($1)", [orgId]);
    const second = balance(orgId);
    // Of this database only: other test files wait on the same server.
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while ((await first.query(waiting)).rows.length === 0) await Bun.sleep(2);
    await first.query("commit");
    first.release();
    expect(await second).toBe("0+0 0+0");
    expect(await entries(orgId)).toEqual(["grant subscription 50", "expire subscription -50"]);
  });

  test("the first reader to notice sees none of its credits", async () => {
    const orgId = await found(0);
    await openPeriod(orgId, 50);
    await database.advanceClock(DAY_MS);
    expect(await balance(orgId)).toBe("0+0 0+0");
  });
});

test("an abandoned settlement is not carried out; any other is", async () => {
  const orgId = await found(100);
  const [kept, taken] = [await hold(orgId, 10), await hold(orgId, 10)];
  const late = ledger.settle(settlementOf(taken, credits(10)), { isAbandoned: true });
  await expect(late).rejects.toThrow("nobody waits for it any more");
  const settled = await ledger.settle(settlementOf(kept, credits(4)), { isAbandoned: false });
  expect(settled.outcome).toBe("settled");
  expect(await balance(orgId)).toBe("0+0 86+10");
});

describe("a single credit", () => {
  test("that expires has an entry", async () => {
    const orgId = await found(0);
    await openPeriod(orgId, 1);
    await database.advanceClock(DAY_MS);
    expect(await balance(orgId)).toBe("0+0 0+0");
    expect(await entries(orgId)).toEqual(["grant subscription 1", "expire subscription -1"]);
  });

  test("that a renewal replaces has an entry", async () => {
    const orgId = await found(0);
    await openPeriod(orgId, 1);
    const endsAt = new Date(NOW.getTime() + 2 * DAY_MS);
    const renewal = {
      orgId,
      amount: credits(7),
      startsAt: NOW,
      endsAt,
      reference: null,
      description: "plan",
    };
    expect((await ledger.renew(renewal)).outcome).toBe("renewed");
    expect(await balance(orgId)).toBe("7+0 0+0");
    expect((await entries(orgId)).slice(1)).toEqual(["expire subscription -1", "grant subscription 7"]);
  });

  test.each(["together", "alone"])(
    "that is charged has an entry, in either pool, settled %s",
    async (how) => {
      for (const pool of ["anytime", "subscription"] as const) {
        const orgId = await found(pool === "anytime" ? 1 : 0);
        if (pool === "subscription") await openPeriod(orgId, 1);
        const call = await hold(orgId, 1);
        const settled =
          how === "alone" ? await settleOne(db, settlementOf(call, credits(1))) : await settle(call, 1);
        expect(settled).toMatchObject({ outcome: "settled", writtenOff: credits(0) });
        expect(await entries(orgId)).toEqual([`grant ${pool} 1`, `charge ${pool} -1`]);
      }
    },
  );

  test.each([
    [1, ["charge subscription -1"]],
    [2, ["charge subscription -1", "charge anytime -1"]],
  ])(
    "of a period pays its part of a cost of %p, settled alone, and the audit finds no fault",
    async (cost, charges) => {
      const orgId = await found(5);
      await openPeriod(orgId, 1);
      const call = await hold(orgId, cost);
      await ledger.settle(settlementOf(call, credits(cost)));
      expect((await entries(orgId)).slice(2)).toEqual(charges);
      expect(await balance(orgId)).toBe(`0+0 ${6 - cost}+0`);
      expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
    },
  );

  test("that returns to an ended period expires with its call", async () => {
    const orgId = await found(0);
    await openPeriod(orgId, 5);
    const call = await hold(orgId, 2);
    // Another call of that period is still running, and its credits stay held.
    await hold(orgId, 3);
    await database.advanceClock(DAY_MS);
    expect(await settle(call, 1)).toMatchObject({
      chargedSubscription: credits(1),
      subscriptionAfter: credits(0),
    });
    expect(await balance(orgId)).toBe("0+3 0+0");
    expect((await entries(orgId)).slice(1)).toEqual(["charge subscription -1", "expire subscription -1"]);
  });
});

describe("a settlement", () => {
  const member = newId();
  const figures = {
    inputTokens: 11,
    outputTokens: 7,
    tokensSaved: 3,
    latencyMs: 42,
    priceRuleId: PRICE_RULE.id,
    measured: '{"cached_input_tokens":9}',
    target: "t",
  };

  test.each(["together", "alone"])("fills every column of the request row, settled %s", async (how) => {
    const orgId = await found(100);
    const call = await hold(orgId, 10, { memberUserId: member });
    await database.advanceClock(1_500);
    const settlement = settlementOf(call, credits(25), {
      ...figures,
      status: "cancelled",
      errorCode: null,
      reason: "client_left",
    });
    if (how === "alone") await settleOne(db, settlement);
    else await settleAll(db, "call", [settlement]);
    const [row] = (await ledgerRows(db, orgId))["requests"] ?? [];
    expect(row).toEqual({
      request_id: call.requestId,
      created_at: "2031-01-01T00:00:30+00:00",
      settled_at: "2031-01-01T00:00:31.5+00:00",
      ended_by: "call",
      status: "cancelled",
      endpoint: call.endpoint,
      model: call.model,
      key_id: call.keyId,
      member_id: member,
      held_credits: 10,
      charged_subscription: 0,
      charged_anytime: 20,
      written_off_credits: 5,
      subscription_after: 0,
      anytime_after: 80,
      input_tokens: 11,
      output_tokens: 7,
      tokens_saved: 3,
      latency_ms: 42,
      error_code: null,
      price_rule: "rule",
      target: "t",
      late_cost: null,
      measured: { cached_input_tokens: 9 },
      reason: "client_left",
    });
  });

  test("adds each call once to the daily sums, whichever way it is settled", async () => {
    const orgId = await found(100);
    const cached = {
      ...figures,
      measured: '{"cached_input_tokens":9,"cache_write_tokens":2,"cache_saved":-5}',
    };
    const calls = [];
    for (let n = 0; n < 5; n += 1) calls.push(await hold(orgId, 10));
    const [a, b, c, d, e] = calls as [
      AdmissionCall,
      AdmissionCall,
      AdmissionCall,
      AdmissionCall,
      AdmissionCall,
    ];
    await settleAll(db, "call", [settlementOf(a, credits(1), figures), settlementOf(b, credits(2), cached)]);
    await database.advanceClock(1_000);
    await settleAll(db, "call", [settlementOf(c, credits(25), figures)]);
    // Checked before the other way of settling, which would hide what this one left.
    expect((await ledgerRows(db, orgId))["rollups"]).toMatchObject([
      { last_at: "2031-01-01T00:00:31+00:00" },
    ]);
    await database.advanceClock(1_000);
    await settleOne(db, settlementOf(d, credits(22), cached));
    await settleOne(db, releaseOf(e));
    expect((await ledgerRows(db, orgId))["rollups"]).toEqual([
      {
        day: "2031-01-01",
        key_id: a.keyId,
        member_id: null,
        model: a.model,
        endpoint: a.endpoint,
        requests: 5,
        failed_requests: 1,
        credits_charged: 1 + 2 + 20 + 20,
        written_off_credits: 5 + 2,
        input_tokens: 44,
        output_tokens: 28,
        tokens_saved: 12,
        last_at: "2031-01-01T00:00:32+00:00",
        // Only of calls that say what their cache saved: those of older versions have no such sums.
        cache_read_tokens: 18,
        cache_written_tokens: 4,
        cache_saved: -10,
      },
    ]);
    expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  });

  test("frees one place in flight of calls, jobs or the key", async () => {
    const orgId = await found(100);
    const counts = async () => {
      const rows = await ledgerRows(db, orgId);
      const [account] = rows["accounts"] as { calls_in_flight: number; jobs_in_flight: number }[];
      const [key] = rows["key_windows"] as { calls_in_flight: number }[];
      return [account?.calls_in_flight, account?.jobs_in_flight, key?.calls_in_flight];
    };
    const keyed = await hold(orgId, 1, { keyInFlight: 5 });
    const keyedToo = await hold(orgId, 1, { keyInFlight: 5 });
    const plain = await hold(orgId, 1);
    const job = await hold(orgId, 1, { kind: "job" });
    // Neither a job nor a refused call takes a key's place in flight.
    await hold(orgId, 1, { kind: "job", keyInFlight: 5 });
    expect(await admit(admissionOf(orgId, 1_000, { keyInFlight: 5 }))).toMatchObject({
      outcome: "insufficient",
    });
    await hold(orgId, 1, { keyRequestsPerMinute: 9 });
    expect(await counts()).toEqual([4, 2, 2]);
    await settle(keyed, 1);
    await settle(job, 1);
    expect(await counts()).toEqual([3, 1, 1]);
    await settle(plain, 1);
    await settle(keyedToo, 0);
    expect(await counts()).toEqual([1, 1, 0]);
  });

  test("that comes too late charges nothing; the request keeps the cost of the first such one", async () => {
    const orgId = await found(100);
    const call = await hold(orgId, 10);
    await settleAll(db, "sweeper", [releaseOf(call)]);
    expect(await settle(call, 7)).toMatchObject({ outcome: "late", chargedAnytime: credits(0) });
    expect(await settle(call, 9)).toMatchObject({ outcome: "late" });
    const [row] = (await ledgerRows(db, orgId))["requests"] ?? [];
    expect(row).toMatchObject({ ended_by: "sweeper", late_cost: 7 });
    expect(await balance(orgId)).toBe("0+0 100+0");
  });
});
