import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/index.ts";
import { createTestPayments } from "../testing.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

/** An organization that pays for a plan, with its subscription at Stripe. */
async function subscribe(plan: string) {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan });
  await shop.deliver(...shop.stripe.pay(session));
  return { orgId, paid: atStripe(session) };
}

function atStripe(session: string) {
  return shop.stripe.subscriptions.get(shop.stripe.sessions.get(session)?.subscription ?? "");
}

async function setActive(orgId: string, active: boolean): Promise<void> {
  await shop.database.db.pool.query("update organization set active = $2 where id = $1", [orgId, active]);
}

const subscriptionOf = async (orgId: string) => (await shop.payments.planState(orgId)).subscription;

test("an inactive organization's subscription is ended once Stripe is available, and not requested again", async () => {
  const { orgId, paid } = await subscribe("pro");
  await setActive(orgId, false);
  shop.stripe.failNext(Number.POSITIVE_INFINITY);
  await expect(shop.payments.endInactive(null)).rejects.toThrow();
  shop.stripe.failNext(0);
  await shop.payments.endInactive(null);
  expect(paid).toMatchObject({ status: "active", cancel_at_period_end: true });
  const asked = shop.stripe.asked.length;
  await shop.payments.endInactive(null);
  expect(shop.stripe.asked).toHaveLength(asked);
});

test("a subscription that ended without a report is ended here too", async () => {
  const { orgId, paid } = await subscribe("pro");
  Object.assign(paid ?? {}, { status: "canceled" });
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  expect(await shop.planOf(orgId)).toBe("free");
  expect(await subscriptionOf(orgId)).toBeUndefined();
});

test("an unpaid month of an inactive organization is not collected: its subscription ends immediately", async () => {
  const { orgId, paid } = await subscribe("pro");
  await shop.deliver(...shop.stripe.renew(paid?.id ?? "", "failed"));
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  expect(paid?.status).toBe("canceled");
  expect(await shop.planOf(orgId)).toBe("free");
  expect(await subscriptionOf(orgId)).toBeUndefined();
});

test("an overdue month is not collected either when its owner had set it to end at Stripe", async () => {
  const { orgId, paid } = await subscribe("pro");
  await shop.deliver(...shop.stripe.renew(paid?.id ?? "", "failed"));
  const ending = { cancel_at_period_end: true, cancel_at: 2_000_000_000 };
  await shop.deliver(...shop.stripe.update(paid?.id ?? "", ending));
  expect(await subscriptionOf(orgId)).toMatchObject({ state: "past_due", endsAt: expect.any(Date) });
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  expect(paid?.status).toBe("canceled");
});

test("a subscription that Stripe does not know counts as ended, with one alert", async () => {
  const [moved, known] = [await subscribe("pro"), await subscribe("pro")];
  const { pool } = shop.database.db;
  await pool.query("update paid_subscriptions set id = 'sub_elsewhere' where org_id = $1", [moved.orgId]);
  await setActive(moved.orgId, false);
  await setActive(known.orgId, false);
  await shop.payments.endInactive(null);
  expect(known.paid?.cancel_at_period_end).toBe(true);
  expect(await shop.planOf(moved.orgId)).toBe("free");
  const asked = shop.stripe.asked.length;
  await shop.payments.endInactive(null);
  expect(shop.stripe.asked).toHaveLength(asked);
  expect(shop.metrics.render()).toContain('bursar_payment_alerts_total{reason="subscription_unknown"} 1');
});

test("nothing is ended when Stripe refuses the key", async () => {
  const { orgId } = await subscribe("pro");
  await setActive(orgId, false);
  const { db } = shop.database;
  const locked = createTestPayments({ db, stripe: { ...shop.stripe.settings, secretKey: "sk_test_other" } });
  await expect(locked.endInactive(orgId)).rejects.toThrow();
  expect(await subscriptionOf(orgId)).toMatchObject({ plan: "pro", endsAt: null });
  await shop.payments.endInactive(orgId);
});

test("a cheaper plan chosen for the next month does not follow", async () => {
  const { orgId, paid } = await subscribe("enterprise");
  await shop.payments.changePlan({ ...buyerOf(orgId), plan: "enterprise" }, "pro");
  await setActive(orgId, false);
  await shop.payments.endInactive(orgId);
  expect(paid?.cancel_at_period_end).toBe(true);
  expect(await subscriptionOf(orgId)).toMatchObject({ plan: "enterprise", next: null });
});

test("a checkout paid after the deactivation buys one month", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  await setActive(orgId, false);
  await shop.deliver(...shop.stripe.pay(session));
  await shop.payments.endInactive(null);
  expect(atStripe(session)?.cancel_at_period_end).toBe(true);
});

test("an owner who is active again can keep the plan while its month lasts", async () => {
  const { orgId, paid } = await subscribe("pro");
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  await setActive(orgId, true);
  await shop.advance(DAY_MS);
  await shop.payments.endInactive(null);
  expect((await subscriptionOf(orgId))?.endsAt).toBeInstanceOf(Date);
  expect(await shop.payments.changePlan({ ...buyerOf(orgId), plan: "pro" }, "pro")).toEqual({
    outcome: "changed",
  });
  await shop.payments.endInactive(null);
  expect(paid?.cancel_at_period_end).toBe(false);
});

test("open checkouts of an inactive organization are expired once; paid and other ones are not", async () => {
  const [orgId, neighbour] = [await shop.found(), await shop.found()];
  const { db } = shop.database;
  const sessions = [await shop.order(orgId, { plan: "pro" }), await shop.order(orgId, { pack: "small" })];
  const paid = await shop.order(orgId, { pack: "small" });
  const reports = shop.stripe.pay(paid);
  const other = await shop.order(neighbour, { pack: "small" });
  await setActive(orgId, false);
  const locked = createTestPayments({ db, stripe: { ...shop.stripe.settings, secretKey: "sk_test_other" } });
  await expect(locked.endInactive(orgId)).rejects.toThrow();
  await shop.payments.endInactive(null);
  const statuses = [...sessions, other].map((id) => shop.stripe.sessions.get(id)?.status);
  expect(statuses).toEqual(["expired", "expired", "open"]);
  expect((await shop.payments.orders(orgId, 3)).map(({ status }) => status)).toEqual([
    "open",
    "expired",
    "expired",
  ]);
  await shop.deliver(...reports);
  expect((await shop.payments.orders(orgId, 1))[0]?.status).toBe("paid");
  const asked = shop.stripe.asked.length;
  await shop.payments.endInactive(null);
  expect(shop.stripe.asked).toHaveLength(asked);
});

test("a checkout that Stripe itself has long closed is not requested", async () => {
  const orgId = await shop.found();
  await shop.order(orgId, { pack: "small" });
  await setActive(orgId, false);
  await shop.advance(2 * DAY_MS);
  const asked = shop.stripe.asked.length;
  await shop.payments.endInactive(null);
  expect(shop.stripe.asked).toHaveLength(asked);
});
