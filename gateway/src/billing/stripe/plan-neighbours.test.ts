import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createBilling } from "../index.ts";
import { TEST_PLANS } from "../testing.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

async function pay(orgId: string, plan: string) {
  const session = await shop.order(orgId, { plan });
  const paid = shop.stripe.pay(session);
  await shop.deliver(...paid);
  const subscriptionId = shop.stripe.sessions.get(session)?.subscription ?? "";
  return { subscriptionId, intent: shop.stripe.intentOf(String(paid[1]?.data.object["id"])) };
}

const change = async (orgId: string, plan: string) =>
  shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, plan);

const TABLES = {
  organization: "id",
  subscriptions: "org_id",
  accounts: "org_id",
  grants: "org_id",
  entries: "org_id",
  payment_orders: "org_id",
  payments: "org_id",
  paid_subscriptions: "org_id",
  replaced_subscriptions: "org_id",
};

/** Every row of an organization. */
async function rowsOf(orgId: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [table, column] of Object.entries(TABLES)) {
    const { rows } = await shop.database.db.pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t where ${column} = $1 order by 1`,
      [orgId],
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

test("payments, changes, reversals and ends of one organization leave all others unchanged", async () => {
  const billing = createBilling({
    db: shop.database.db,
    ledger: shop.ledger,
    plans: TEST_PLANS,
    log: silentLog,
  });
  const [paying, leaving, ordering, arranged, own] = [
    await shop.found(),
    await shop.found(),
    await shop.found(),
    await shop.found("pro"),
    await shop.found(),
  ];
  await pay(paying, "enterprise");
  await change(paying, "pro");
  await pay(leaving, "pro");
  await change(leaving, "free");
  await shop.order(ordering, { plan: "pro" });
  await billing.startPlan(arranged);
  const neighbours = [paying, leaving, ordering, arranged];
  const before = await Promise.all(neighbours.map(rowsOf));
  const expectUntouched = async () => expect(await Promise.all(neighbours.map(rowsOf))).toEqual(before);

  const first = await pay(own, "pro");
  await expectUntouched();
  await shop.advance(DAY_MS);
  const second = await pay(own, "enterprise");
  await change(own, "pro");
  await expectUntouched();
  await shop.deliver(...shop.stripe.refund(first.intent, 4_900, 4_900));
  const dispute = (status: string) =>
    shop.deliver(...shop.stripe.dispute("dp_own", second.intent, 49_900, status));
  await dispute("needs_response");
  await dispute("won");
  await expectUntouched();
  await shop.deliver(...shop.stripe.update(second.subscriptionId, { status: "canceled" }));
  await expectUntouched();
});

test("a month that begins by schedule begins for its organization only", async () => {
  const { db } = shop.database;
  const billing = createBilling({ db, ledger: shop.ledger, plans: TEST_PLANS, log: silentLog });
  const [own, later, paying] = [await shop.found("pro"), await shop.found("pro"), await shop.found()];
  await billing.startPlan(own);
  await shop.advance(DAY_MS);
  await billing.startPlan(later);
  await pay(paying, "pro");
  const endsAt = (await shop.account(own)).period?.endsAt.getTime() ?? 0;
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  await shop.advance(endsAt - (rows[0]?.now.getTime() ?? 0) - 30_000);
  await billing.renewDue();
  const before = await Promise.all([later, paying].map(rowsOf));
  await shop.advance(60_000);
  await db.pool.query(
    "select ledger_adjust($1, gen_random_uuid(), 'anytime', 1, 'whoever locks the account')",
    [own],
  );
  expect(await shop.granted(own)).toBe(100_000);
  expect(await Promise.all([later, paying].map(rowsOf))).toEqual(before);
});
