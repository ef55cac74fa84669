import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../../test/paid-items.ts";
import { canonicalJson, credits, newId, sha256Hex } from "../../kit/index.ts";
import { savePriceRules } from "../store.ts";
import { verifyLedger } from "./audit.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

const query = (text: string, values: unknown[]) => db.pool.query(text, values);

let orgId: string;
/** A half-refunded pack, a plan with a rejected dispute, a joined grant, and calls of a limited key. */
beforeEach(async () => {
  orgId = await books.found(0);
  const pack = await order("pack", 1_000);
  await ledger.grant(books.grantOf(orgId, 1_000, { reference: `order:${pack}`, kind: "pack" }));
  await query(
    `insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, charge_reference)
     values ('cs_' || $1, $2, $1::uuid, bursar_now(), 'anytime', 1000, 999, 'pi_' || $1)`,
    [pack, orgId],
  );
  await query("insert into payment_reversals values ($1, 'pi_' || $2, 'refund', 500)", [newId(), pack]);
  await query("select reverse_payment('pi_' || $1)", [pack]);
  const plan = await order("plan", 400);
  await query(
    `select open_paid_period('in_' || $1, $1::uuid, 'sub_' || $1, 'cus', bursar_now(), bursar_now() + interval '1 month',
       bursar_now() + interval '1 month', $2)`,
    [plan, newId()],
  );
  await query("update payments set charge_reference = 'pi_' || $1 where id = 'in_' || $1", [plan]);
  for (const cents of [999, 0]) {
    await query(
      "insert into payment_reversals values ('dp_' || $1, 'pi_' || $1, 'dispute', $2) on conflict (id) do update set amount_cents = $2",
      [plan, cents],
    );
    await query("select reverse_payment('pi_' || $1)", [plan]);
  }
  await ledger.grant(books.grantOf(orgId, 5, { pool: "subscription" }));
  for (const isEnded of [true, true, false]) {
    const call = admissionOf(orgId, 30, { keyInFlight: 5 });
    await admitter.admit(call);
    if (isEnded) await ledger.settle(settlementOf(call, credits(40)));
  }
});

async function order(kind: "pack" | "plan", amount: number): Promise<string> {
  const id = newId();
  await query(
    `insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider, status)
     values ($1, $2, bursar_now(), $2, $3, 'pro', $4, 999, 'usd', 'stripe', 'paid')`,
    [id, orgId, kind, amount],
  );
  return id;
}

async function faults(): Promise<string[]> {
  const report = await verifyLedger(db, { orgId });
  return report.faults.map(({ table, row, what }) => `${table} ${row}: ${what}`);
}

test("the audit finds no faults in sound payments, periods and key counts while a call is running", async () => {
  expect(await faults()).toEqual([]);
});

test("the audit reports nothing about payments and reversals that are still in progress", async () => {
  // States in between: granted but the payment not recorded; ordered but not paid; refunded further, or a dispute won,
  // but the credits not yet taken or given back.
  const [pack, open] = [await order("pack", 10), await order("pack", 10)];
  await query("update payment_orders set status = 'open' where id = any($1)", [[pack, open]]);
  await ledger.grant(books.grantOf(orgId, 10, { reference: `order:${pack}`, kind: "pack" }));
  await query(
    "update payment_reversals set amount_cents = 900 where charge_reference in (select charge_reference from payments where org_id = $1)",
    [orgId],
  );
  expect(await faults()).toEqual([]);
  await query(
    "select reverse_payment(charge_reference) from payments where org_id = $1 and pool = 'subscription'",
    [orgId],
  );
  await query(
    "update payment_reversals set amount_cents = 0 where kind = 'dispute' and charge_reference in (select charge_reference from payments where org_id = $1)",
    [orgId],
  );
  expect(await faults()).toEqual([]);
});

test("the audit reports no fault for a settlement that found no hold", async () => {
  const call = admissionOf(orgId, 1);
  expect(await ledger.settle(settlementOf(call, credits(7)))).toMatchObject({ outcome: "orphan" });
  expect(await faults()).toEqual([]);
});

const OF_PACK = "where org_id = $1 and pool = 'anytime'";
const PACK = "payments cs_[0-9a-f-]{36}: ";
const FORGERIES: readonly (readonly [string, string, string])[] = [
  [
    "the credits of a payment",
    `update payments set credits = credits * 10 ${OF_PACK}`,
    `${PACK}the payment and its grant differ`,
  ],
  [
    "the pool of a payment",
    `update payments set pool = 'subscription' ${OF_PACK}`,
    `${PACK}a payment without its grant`,
  ],
  [
    "the price of a payment",
    `update payments set amount_cents = 2000 ${OF_PACK}`,
    `${PACK}the payment and its order differ`,
  ],
  [
    "the order of a payment",
    "update payment_orders set credits = 1 where org_id = $1 and kind = 'pack'",
    `${PACK}the payment and its order differ`,
  ],
  [
    "the month of a payment",
    "update payments set period_start = period_start - interval '1 day' where org_id = $1 and pool = 'subscription'",
    "payments in_[0-9a-f-]{36}: the payment and its grant differ",
  ],
  [
    "a pack's payment deleted",
    `delete from payments ${OF_PACK}`,
    "payments [0-9a-f-]{36}: a paid order without its payment",
  ],
  [
    "a pack's order deleted",
    "delete from payment_orders where org_id = $1 and kind = 'pack'",
    `${PACK}a payment without its order`,
  ],
  [
    "a month's order deleted",
    "delete from payment_orders where org_id = $1 and kind = 'plan'",
    "payments in_[0-9a-f-]{36}: a payment without its order",
  ],
  [
    "a pack's order and payment deleted",
    `with gone as (delete from payment_orders where org_id = $1) delete from payments ${OF_PACK}`,
    "grants order:[0-9a-f-]{36}: a pack without its order",
  ],
  [
    "a pack without its payment after 8 days",
    `with gone as (delete from payments ${OF_PACK}), opened as (update payment_orders set status = 'open' where org_id = $1)
     update grants set created_at = created_at - interval '8 days' where org_id = $1 and kind = 'pack'`,
    "grants order:[0-9a-f-]{36}: a pack without its payment",
  ],
  [
    "a manual grant turned into a pack",
    "update grants set kind = 'pack' where org_id = $1 and reference is null",
    "grants [0-9a-f-]{36}: a pack without its order",
  ],
  [
    "a month's payment deleted",
    "delete from payments where org_id = $1 and pool = 'subscription'",
    "grants in_[0-9a-f-]{36}: a paid month without its payment",
  ],
  [
    "the amount of a refund",
    "update payment_reversals set amount_cents = 499 where kind = 'refund' and charge_reference in (select charge_reference from payments where org_id = $1)",
    `${PACK}500 credits were taken back, its refunds make it 499`,
  ],
  [
    "a refund deleted",
    "delete from payment_reversals where kind = 'refund' and charge_reference in (select charge_reference from payments where org_id = $1)",
    `${PACK}500 credits were taken back, its refunds make it 0`,
  ],
  [
    "the end of the open period",
    "update accounts set period_end = '2099-01-01' where org_id = $1",
    "accounts account: the open period is that of no grant",
  ],
  [
    "the beginning of the open period",
    "update accounts set period_start = period_start - interval '1 day' where org_id = $1",
    "accounts account: the open period is that of no grant",
  ],
  [
    "the end of every grant of the open period",
    "update grants set expires_at = expires_at + interval '300 days' where org_id = $1",
    "accounts account: the open period is that of no grant",
  ],
  [
    "the held credits of requests",
    "update requests set held_credits = 0 where org_id = $1",
    "requests [0-9a-f-]{36}: charged more than twice what it held",
  ],
  [
    "a key's count of running calls",
    "update key_windows set calls_in_flight = calls_in_flight + 1 where org_id = $1",
    "key_windows [0-9a-f-]{36}: calls_in_flight is 2, its holds are 1",
  ],
  [
    "a key's row deleted",
    "delete from key_windows where org_id = $1",
    "key_windows [0-9a-f-]{36}: calls_in_flight is 0, its holds are 1",
  ],
];

describe("the audit reports tampering:", () => {
  test.each(FORGERIES)("%s", async (_, forgery, named) => {
    await query(forgery, [orgId]);
    expect((await faults()).join("\n")).toMatch(new RegExp(named));
  });

  test("a price rule, which belongs to no organization", async () => {
    const json = canonicalJson({ version: 1, per_second: { "720p": 1.25, "1080p": 1e-7 }, input: 0.1 });
    const id = sha256Hex(json).slice(0, 16);
    await savePriceRules(db, [{ id, model: "video", json }]);
    const found = async () => (await verifyLedger(db)).faults.filter(({ table }) => table === "price_rules");
    expect(await found()).toEqual([]);
    await query("update price_rules set rule = rule || '{\"input\": 0.2}' where id = $1", [id]);
    expect(await found()).toEqual([
      { orgId: null, table: "price_rules", row: id, what: "the rule does not match its hash" },
    ]);
    await query("delete from price_rules where id = $1", [id]);
  });
});
