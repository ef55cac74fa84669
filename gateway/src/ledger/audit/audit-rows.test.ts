import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../../test/paid-items.ts";
import { payForPack } from "../../../../test/paid-pack.ts";
import { creditDelta, credits } from "../../kit/index.ts";
import { verifyLedger } from "./audit.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

let orgId: string;
/** A pack that was refunded after half of it was spent, two models, a failed call, and two images of one call. */
beforeEach(async () => {
  orgId = await books.found(0);
  await ledger.grant(books.grantOf(orgId, 100, { reference: `order:${orgId}`, kind: "pack" }));
  const now = (await db.pool.query<{ now: Date }>("select date_trunc('milliseconds', bursar_now()) as now"))
    .rows[0]?.now as Date;
  await ledger.renew({
    orgId,
    amount: credits(40),
    startsAt: now,
    endsAt: new Date(now.getTime() + 86_400_000),
    reference: null,
    description: "plan",
  });
  const priceRuleId = `rule-${orgId}`;
  await ledger.recordPriceRules([{ id: priceRuleId, model: "talker", json: "{}" }]);
  for (const model of ["talker", "painter", "painter"]) {
    const call = admissionOf(orgId, 30, { model });
    await admitter.admit(call);
    await ledger.settle(settlementOf(call, credits(30), { priceRuleId }));
    if (model === "painter") await addPictures(call.requestId);
  }
  const failed = admissionOf(orgId, 5);
  await admitter.admit(failed);
  await ledger.settle(releaseOf(failed));
  await ledger.adjust({ orgId, pool: "subscription", amount: creditDelta(2), description: "found" });
  await refund();
});

async function addPictures(requestId: string): Promise<void> {
  await db.pool.query(
    `insert into assets (org_id, id, created_at, type, object_key, url_token, media_type, size_bytes, sha256, model,
       request_id, key_id, credits_charged)
     select $1, gen_random_uuid(), bursar_now(), 'image', gen_random_uuid()::text, gen_random_uuid()::text, 'image/png', 1,
       sha256('x'), 'painter', $2, $1, 15 from generate_series(1, 2)`,
    [orgId, requestId],
  );
}

async function refund(): Promise<void> {
  await payForPack(db, { orgId, orderId: orgId, credits: 100, cents: 1_000 });
  await db.pool.query("insert into payment_reversals values ($1, $1, 'refund', 1000)", [orgId]);
  await db.pool.query("select reverse_payment($1)", [orgId]);
}

async function faults(): Promise<string[]> {
  const report = await verifyLedger(db, { orgId });
  return report.faults.map(({ table, row, what }) => `${table} ${row}: ${what}`);
}

test("the audit finds no faults in sound books with a debt, before and after it is paid", async () => {
  const debt = async () =>
    (await db.pool.query("select debt::int from accounts where org_id = $1", [orgId])).rows[0]?.debt;
  expect([await faults(), await debt()]).toEqual([[], 50]);
  await ledger.grant(books.grantOf(orgId, 20));
  expect([await faults(), await debt()]).toEqual([[], 30]);
  await db.pool.query("update payment_reversals set amount_cents = 0 where id = $1", [orgId]);
  await db.pool.query("select reverse_payment($1)", [orgId]);
  expect([await faults(), await debt()]).toEqual([[], 0]);
});

const DAY = /rollups \d{4}-\d\d-\d\d: /.source;

const FORGERIES: readonly (readonly [string, string, string])[] = [
  [
    "credits moved between the daily sums of two models",
    "update rollups set credits_charged = credits_charged + case model when 'talker' then 1 else -1 end where org_id = $1 and model in ('talker', 'painter')",
    `${DAY}credits_charged do not add up`,
  ],
  [
    "calls moved between the daily sums of two models",
    "update rollups set requests = requests + case model when 'talker' then 1 else -1 end where org_id = $1 and model in ('talker', 'painter')",
    `${DAY}requests do not add up`,
  ],
  [
    "the tokens of a daily sum",
    "update rollups set input_tokens = input_tokens + 1, output_tokens = output_tokens - 1 where org_id = $1 and model = 'talker'",
    `${DAY}input_tokens, output_tokens do not add up`,
  ],
  [
    "what caches saved in a daily sum",
    "update rollups set cache_saved = cache_saved - 1 where org_id = $1 and model = 'talker'",
    `${DAY}cache_saved do not add up`,
  ],
  [
    "the failed calls of a daily sum",
    "update rollups set failed_requests = 0 where org_id = $1",
    `${DAY}failed_requests do not add up`,
  ],
  [
    "a daily sum without charges deleted",
    "delete from rollups where org_id = $1 and failed_requests > 0",
    `${DAY}requests, failed_requests do not add up`,
  ],
  [
    "a request's model",
    "update requests set model = 'painter' where org_id = $1 and model = 'talker'",
    `${DAY}requests, credits_charged, `,
  ],
  [
    "a request's key",
    "update requests set key_id = org_id where org_id = $1 and model = 'talker'",
    `${DAY}requests, credits_charged, `,
  ],
  [
    "a request's status",
    "update requests set status = 'failed' where org_id = $1 and model = 'talker'",
    `${DAY}failed_requests do not add up`,
  ],
  [
    "a request's day",
    "update requests set settled_at = settled_at - interval '1 day' where org_id = $1 and status = 'failed'",
    `${DAY}requests, failed_requests do not add up`,
  ],
  [
    "a request's end time",
    "update requests set settled_at = settled_at + interval '1 microsecond' where org_id = $1 and model = 'talker'",
    "requests [0-9a-f-]{36}: it did not end when it was charged",
  ],
  ...["written_off_credits", "input_tokens", "output_tokens", "tokens_saved"].map(
    (figure): [string, string, string] => [
      `a request's ${figure}, made negative`,
      `update requests set ${figure} = -1 where org_id = $1 and status = 'failed'`,
      "requests [0-9a-f-]{36}: a figure is negative",
    ],
  ),
  ...[
    '{"cached_input_tokens":6,"cache_write_tokens":4,"audio_input_tokens":1}',
    '{"cached_input_tokens":11}',
    '{"cache_write_tokens":-1}',
    '{"reasoning_tokens":6}',
  ].map((measured): [string, string, string] => [
    `a request's measured tokens, set to ${measured}`,
    `update requests set measured = '${measured}' where org_id = $1 and model = 'talker' and status = 'succeeded'`,
    "requests [0-9a-f-]{36}: the parts of its tokens do not fit them",
  ]),
  [
    "a request's price rule",
    "update requests set price_rule = 'ffff' where org_id = $1 and status = 'failed'",
    "requests [0-9a-f-]{36}: its price rule is not there",
  ],
  [
    "a price rule deleted",
    "delete from price_rules where id = 'rule-' || $1",
    "requests [0-9a-f-]{36}: its price rule is not there",
  ],
  [
    "the cost of assets",
    "update assets set credits_charged = 16 where org_id = $1",
    "assets [0-9a-f-]{36}: its assets say that they cost more than was charged",
  ],
  [
    "the cost of one of two assets",
    "update assets set credits_charged = 3 where (org_id, id) = (select org_id, id from assets where org_id = $1 limit 1)",
    "assets [0-9a-f-]{36}: its assets do not share the charge evenly",
  ],
  [
    "an asset's request",
    "update assets set request_id = org_id where org_id = $1",
    "assets [0-9a-f-]{36}: assets of a request that is not there",
  ],
  [
    "the amount of a plan's grant",
    "update grants set amount = 41 where org_id = $1 and kind = 'plan'",
    "grants [0-9a-f-]{36}: the grant and entry 2 differ",
  ],
  [
    "the pool of a grant",
    "update grants set pool = 'subscription' where org_id = $1 and kind = 'pack'",
    "grants order:[0-9a-f-]{36}: the grant and entry 1 differ",
  ],
  [
    "the reference of a grant",
    "update grants set reference = 'x' where org_id = $1 and kind = 'pack'",
    "grants x: a grant without its entry",
  ],
  [
    "a grant deleted",
    "delete from grants where org_id = $1 and kind = 'plan'",
    "grants [0-9a-f-]{36}: entry 2 has no grant",
  ],
  [
    "a grant added",
    "insert into grants select org_id, gen_random_uuid(), created_at, pool, 'manual', 1, null, null, null from grants where org_id = $1 limit 1",
    "grants [0-9a-f-]{36}: a grant without its entry",
  ],
  [
    "the amount of a correction",
    "update corrections set amount = 3 where org_id = $1",
    "corrections [0-9a-f-]{36}: the correction and entry \\d+ differ",
  ],
  [
    "the debt that a correction paid",
    "update corrections set debt_paid = 1 where org_id = $1",
    "corrections [0-9a-f-]{36}: the correction and entry \\d+ differ",
  ],
  [
    "a correction deleted",
    "delete from corrections where org_id = $1",
    "corrections seq \\d+: entry \\d+ has no correction",
  ],
  [
    "a correction added",
    "insert into corrections select org_id, gen_random_uuid(), created_at, pool, amount, seq + 1, 0 from corrections where org_id = $1",
    "corrections [0-9a-f-]{36}: a correction without its entry",
  ],
  [
    "the debt of an account",
    "update accounts set debt = debt - 1 where org_id = $1",
    "accounts account: debt is 49, payments and adjustments make it 50",
  ],
  [
    "the reversed credits of a payment",
    "update payments set reversed_credits = 99 where org_id = $1",
    "accounts account: debt is 50, payments and adjustments make it 49",
  ],
];

describe("the audit reports tampering:", () => {
  test.each(FORGERIES)("%s", async (_, forgery, named) => {
    await db.transaction(async (client) => {
      await client.query("set local session_replication_role = replica");
      await client.query(forgery, [orgId]);
    });
    expect((await faults()).join("\n")).toMatch(new RegExp(named));
  });
});

test.each([
  '{"cached_input_tokens":5,"cache_write_tokens":4,"audio_input_tokens":1,"reasoning_tokens":5,"n":9}',
  '{"images":{"1k":2}}',
  '{"cached_input_tokens":"many"}',
  "[]",
])(
  "the audit accepts measured parts that fit their tokens, or that are not token counts: %s",
  async (measured) => {
    await db.pool.query("update requests set measured = $2 where org_id = $1 and status = 'succeeded'", [
      orgId,
      measured,
    ]);
    expect(await faults()).toEqual([]);
  },
);

test("the audit reports no fault for a deleted asset", async () => {
  await db.pool.query(
    "delete from assets where (org_id, id) = (select org_id, id from assets where org_id = $1 limit 1)",
    [orgId],
  );
  expect(await faults()).toEqual([]);
});
