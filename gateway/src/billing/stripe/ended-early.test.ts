import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { behindLock } from "../../../../test/behind-lock.ts";
import { credits, DAY_MS } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { addMonths } from "../calendar.ts";
import { type Billing, createBilling } from "../index.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

/** The default plans grant no credits; this operator's do. */
const plans = new Map([
  ["free", { monthlyCredits: credits(1_000) }],
  ["pro", { monthlyCredits: credits(50_000) }],
]);

let shop: PaymentFixture;
let billing: Billing;
beforeAll(async () => {
  shop = await createPaymentFixture();
  billing = createBilling({ db: shop.database.db, ledger: shop.ledger, plans, log: silentLog });
});
afterAll(() => shop.close());

/** An organization that paid for a month of the pro plan two days ago. */
async function paying() {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  const paid = shop.stripe.pay(session);
  await shop.deliver(...paid);
  await shop.advance(2 * DAY_MS);
  const subscriptionId = shop.stripe.sessions.get(session)?.subscription ?? "";
  const intent = shop.stripe.intentOf(String(paid[1]?.data.object["id"]));
  const end = () => shop.deliver(...shop.stripe.update(subscriptionId, { status: "canceled" }));
  return { orgId, intent, subscriptionId, end };
}

const available = async (orgId: string) => (await shop.account(orgId)).subscriptionAvailable as number;

describe("a subscription that ends before its paid month", () => {
  test("leaves that month open to its end, and the default plan's months follow it", async () => {
    const { orgId, end } = await paying();
    await end();
    expect(await shop.planOf(orgId)).toBe("free");
    await billing.renewDue();
    expect(await available(orgId)).toBe(50_000);
    const endsAt = (await shop.account(orgId)).period?.endsAt as Date;
    const renewsAt = (await shop.payments.planState(orgId)).state?.renewsAt;
    expect(renewsAt).toEqual(endsAt);
    await shop.advance(32 * DAY_MS);
    await billing.renewDue();
    expect(await available(orgId)).toBe(1_000);
    expect((await shop.account(orgId)).period).toEqual({ startsAt: endsAt, endsAt: addMonths(endsAt, 1) });
  });

  test("lets the default plan begin immediately when that month was refunded", async () => {
    const { orgId, intent, end } = await paying();
    await shop.deliver(...shop.stripe.refund(intent, 4_900, 4_900));
    await end();
    await billing.renewDue();
    expect(await available(orgId)).toBe(1_000);
  });
});

test("a subscription that ends after its month lets the default plan's month begin immediately", async () => {
  const { orgId, end } = await paying();
  await shop.advance(32 * DAY_MS);
  await end();
  await billing.renewDue();
  expect(await available(orgId)).toBe(1_000);
});

test("two concurrent reports of an end do not take away a plan that was set in between", async () => {
  const { orgId, subscriptionId } = await paying();
  const { db } = shop.database;
  const end = "select end_paid_subscription($1, 'free') as org_id";
  const again = await behindLock({
    db,
    statement: end,
    values: [subscriptionId],
    work: () => db.pool.query(end, [subscriptionId]),
    meanwhile: (holder) => holder.query("update organization set plan = 'pro' where id = $1", [orgId]),
  });
  expect(again.rows).toEqual([{ org_id: null }]);
  expect(await shop.planOf(orgId)).toBe("pro");
});
