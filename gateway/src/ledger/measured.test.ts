import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { draftAsset } from "../../../test/drafted-asset.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { type PricedCall, pricedCalls } from "../../../test/priced-calls.ts";
import { costByReceipt } from "../../../test/receipt-cost.ts";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { credits, MAX_CREDITS, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { settleMedia } from "./media-store.ts";
import type { Settled, Settlement } from "./settlement.ts";
import { settleOne } from "./single-store.ts";
import { settleAll } from "./store.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter, found } = books;
afterAll(() => books.database.drop());

let orgId: string;
beforeEach(async () => {
  orgId = await found(1_000);
});
afterEach(async () => {
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
});

const CACHED = '{"cached_input_tokens":4,"n":2}';

async function measuredOf({ requestId }: { requestId: string }): Promise<unknown> {
  const { rows } = await db.pool.query<{ measured: unknown }>(
    "select measured from requests where org_id = $1 and request_id = $2",
    [orgId, requestId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.measured;
}

async function reasonOf({ requestId }: { requestId: string }): Promise<unknown> {
  const { rows } = await db.pool.query<{ reason: unknown }>(
    "select reason from requests where request_id = $1",
    [requestId],
  );
  return rows[0]?.reason;
}

/** An admitted call, and its settlement. */
async function begun(changes: Partial<Settlement> = {}): Promise<Settlement> {
  const call = admissionOf(orgId, 10);
  await admitter.admit(call);
  return settlementOf(call, credits(7), { measured: CACHED, ...changes });
}

/** With the file it made, as all media calls are settled. */
async function settleFile(settlement: Settlement): Promise<Settled> {
  return settleMedia(db, settlement, [await draftAsset(db, orgId)]);
}

const WAYS: readonly (readonly [string, (settlement: Settlement) => Promise<unknown>])[] = [
  ["the short function", (settlement) => settleOne(db, settlement)],
  ["a batch", (settlement) => settleAll(db, "call", [settlement])],
  ["media", settleFile],
];

describe.each(WAYS)("settling by %s", (_, settle) => {
  test("stores the measured parts with the request", async () => {
    const settlement = await begun();
    expect(await settle(settlement)).toBeTruthy();
    expect(await measuredOf(settlement)).toEqual({ cached_input_tokens: 4, n: 2 });
  });

  test("stores the reason, which a repeat does not change", async () => {
    const settlement = await begun({ reason: "client_left" });
    await settle(settlement);
    await ledger.settle({ ...settlement, reason: "internal" });
    expect(await reasonOf(settlement)).toBe("client_left");
  });

  test("stores null when nothing was measured", async () => {
    const settlement = await begun({ measured: null });
    expect(await settle(settlement)).toBeTruthy();
    expect(await measuredOf(settlement)).toBeNull();
  });

  test("refuses measured parts that are not JSON, and charges nothing", async () => {
    const settlement = await begun({ measured: '{"n":' });
    await expect(settle(settlement)).rejects.toThrow("json");
    expect(await books.balance(orgId)).toBe("0+0 990+10");
    await ledger.settle(releaseOf(settlement));
  });

  test.each([
    [`{"n":${Number.MAX_SAFE_INTEGER}}`],
    ['{"resolution":"a \\"b\\" \\\\ {c,d} é 🦊 NULL"}'],
    ['{"images":{"1k":2,"4k":1},"oblong":true}'],
  ])("stores %s unchanged", async (measured) => {
    const settlement = await begun({ measured });
    await settle(settlement);
    expect(await measuredOf(settlement)).toEqual(JSON.parse(measured));
  });
});

test("each settlement of a batch stores its own measured parts", async () => {
  const all = await Promise.all(
    [null, '{"n":2}', null, '{"n":3}'].map((measured, at) =>
      begun({ measured, reason: at === 2 ? "cut_by_limit" : null }),
    ),
  );
  await settleAll(db, "call", all);
  expect(await Promise.all(all.map(measuredOf))).toEqual([null, { n: 2 }, null, { n: 3 }]);
  expect(await Promise.all(all.map(reasonOf))).toEqual([null, null, "cut_by_limit", null]);
});

describe("stored measured parts", () => {
  test.each([["the same"], ["a batch"], ["media"]])(
    "stay when the settlement is repeated: %s",
    async (way) => {
      const settlement = await begun();
      await ledger.settle(settlement);
      const again = { ...settlement, measured: '{"n":99}' };
      const repeated = {
        "the same": () => ledger.settle(again),
        "a batch": async () => (await settleAll(db, "call", [again, releaseOf(await begun())]))[0],
        media: () => settleFile(again),
      }[way];
      expect((await repeated?.())?.outcome).toBe("repeat");
      expect(await measuredOf(settlement)).toEqual({ cached_input_tokens: 4, n: 2 });
    },
  );

  test("are those of the concurrent settlement that was charged", async () => {
    const settlement = await begun();
    const settled = await Promise.all(
      [1, 2, 3, 4].map((cost) =>
        ledger.settle({ ...settlement, cost: credits(cost), measured: `{"n":${cost + 1}}` }),
      ),
    );
    const first = settled.findIndex(({ outcome }) => outcome === "settled");
    expect(await measuredOf(settlement)).toEqual({ n: first + 2 });
    expect(settled.map(({ chargedAnytime }) => Number(chargedAnytime))).toEqual(Array(4).fill(first + 1));
  });
});

describe("no measured parts are stored", () => {
  test("for a call that the sweeper has ended, even if its success comes late", async () => {
    const settlement = await begun();
    await settleAll(db, "sweeper", [releaseOf(settlement)]);
    expect((await ledger.settle(settlement)).outcome).toBe("late");
    expect(await measuredOf(settlement)).toBeNull();
    expect(await reasonOf(settlement)).toBe("internal");
  });

  test("for a release", async () => {
    const settlement = await begun();
    await ledger.settle(releaseOf(settlement));
    expect(await measuredOf(settlement)).toBeNull();
  });
});

test("a settlement without a hold stores its measured parts", async () => {
  const orphan = settlementOf(admissionOf(orgId, 1), credits(3), { measured: CACHED });
  expect((await ledger.settle(orphan)).outcome).toBe("orphan");
  expect(await measuredOf(orphan)).toEqual({ cached_input_tokens: 4, n: 2 });
});

describe("a node of the previous version", () => {
  // As the previous version calls them: without `measured`, the last argument.
  const ONE =
    "select ledger_settle_one($1, $2, 3, 'succeeded', $1, null, 'e', 'm', 10, 5, 0, 7, null, null, 't') as answer";
  const BATCH = `select outcome from ledger_settle('call', array[$1::uuid], '{1}', array[$2::uuid], '{3}', '{succeeded}',
    array[$1::uuid], '{NULL}', '{e}', '{m}', '{10}', '{5}', '{0}', '{7}', '{NULL}', '{NULL}', '{t}', '{NULL}')`;
  const MEDIA = `select outcome from ledger_settle_media('call', $1, $2, 3, 'succeeded', $1, null, 'e', 'm', 10, 5, 0, 7, null,
    null, 't', null, $3)`;

  test.each([
    ["one", ONE, "(0,3,0,0,997)"],
    ["a batch", BATCH, "settled"],
    ["media", MEDIA, "settled"],
  ])("settles as before: %s", async (_, statement, answer) => {
    const { requestId } = await begun();
    const more = statement === MEDIA ? [JSON.stringify([await draftAsset(db, orgId)])] : [];
    const { rows } = await db.pool.query(statement, [orgId, requestId, ...more]);
    expect(Object.values(rows[0] ?? {})).toEqual([answer]);
    expect(await measuredOf({ requestId })).toBeNull();
    expect(await books.balance(orgId)).toBe("0+0 997+0");
  });

  test("that settles a call first makes the settlement of a current node a repeat", async () => {
    const settlement = await begun();
    await db.pool.query(BATCH, [orgId, settlement.requestId]);
    expect((await ledger.settle(settlement)).outcome).toBe("repeat");
    expect(await measuredOf(settlement)).toBeNull();
  });
});

describe("a charge can be recomputed from its receipt", () => {
  /** Enough to charge any of them in full: rules are drawn at random, and some are very expensive. */
  const MOST = MAX_CREDITS / 1_000;

  async function receipts(all: readonly Settlement[]): Promise<number[]> {
    const { rows } = await db.pool.query(
      `select q.request_id, p.rule, q.input_tokens::float8, q.output_tokens::float8, q.measured
       from requests q join price_rules p on p.id = q.price_rule where q.org_id = $1`,
      [orgId],
    );
    const byId = new Map(rows.map((row) => [row.request_id, row]));
    return all.map(({ requestId }) => {
      const { rule, input_tokens: inputTokens, output_tokens: outputTokens, measured } = byId.get(requestId);
      return costByReceipt({ rule, inputTokens, outputTokens, measured });
    });
  }

  async function charged(calls: readonly PricedCall[], way: (all: Settlement[]) => Promise<unknown>) {
    orgId = await found(0);
    await ledger.grant(books.grantOf(orgId, MOST));
    await ledger.recordPriceRules(calls.map(({ rule }) => ({ ...rule, model: "m" })));
    const all = await Promise.all(
      calls.map(async ({ rule, cost, measured, inputTokens, outputTokens }) => {
        const call = admissionOf(orgId, Number(cost), { requestId: newId() });
        expect((await admitter.admit(call)).outcome).toBe("admitted");
        return settlementOf(call, cost, { priceRuleId: rule.id, measured, inputTokens, outputTokens });
      }),
    );
    await way(all);
    const { rows } = await db.pool.query<{ request_id: string; cost: number }>(
      "select request_id, (charged_subscription + charged_anytime)::float8 as cost from requests where org_id = $1",
      [orgId],
    );
    const costs = new Map(rows.map((row) => [row.request_id, row.cost]));
    expect(await receipts(all)).toEqual(all.map(({ requestId }) => costs.get(requestId) ?? -1));
  }

  const affordable = pricedCalls.filter(({ cost }) => cost <= MOST / 10);

  test.each<[string, (all: Settlement[]) => Promise<unknown>]>([
    ["all together", (all) => settleAll(db, "call", all)],
    ["one by one", (all) => Promise.all(all.map((one) => settleOne(db, one)))],
    ["as media", (all) => Promise.all(all.map(settleFile))],
  ])("for any call and any price rule, settled %s", async (_, way) => {
    await fc.assert(
      fc.asyncProperty(fc.array(affordable, { minLength: 1, maxLength: 8 }), (calls) => charged(calls, way)),
      { numRuns: roundsOfRun(40) },
    );
  });
});
