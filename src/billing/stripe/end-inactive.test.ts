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

test("what an inactive organization pays is ended later where Stripe is away, and not asked for again", async () => {
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

test("a plan that ended without a report of it is over here, too", async () => {
  const { orgId, paid } = await subscribe("pro");
  Object.assign(paid ?? {}, { status: "canceled" });
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  expect(await shop.planOf(orgId)).toBe("free");
  expect(await subscriptionOf(orgId)).toBeUndefined();
});

test("a month that could not be collected is not collected later: its subscription ends at once", async () => {
  const { orgId, paid } = await subscribe("pro");
  await shop.deliver(...shop.stripe.renew(paid?.id ?? "", "failed"));
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  expect(paid?.status).toBe("canceled");
  expect(await shop.planOf(orgId)).toBe("free");
  expect(await subscriptionOf(orgId)).toBeUndefined();
});

test("an overdue month is not collected either where its owner had chosen at Stripe to end with it", async () => {
  const { orgId, paid } = await subscribe("pro");
  await shop.deliver(...shop.stripe.renew(paid?.id ?? "", "failed"));
  const ending = { cancel_at_period_end: true, cancel_at: 2_000_000_000 };
  await shop.deliver(...shop.stripe.update(paid?.id ?? "", ending));
  expect(await subscriptionOf(orgId)).toMatchObject({ state: "past_due", endsAt: expect.any(Date) });
  await setActive(orgId, false);
  await shop.payments.endInactive(null);
  expect(paid?.status).toBe("canceled");
});

test("what this account of Stripe does not know counts as over, and a person is told once", async () => {
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

test("a key that Stripe refuses ends nothing here", async () => {
  const { orgId } = await subscribe("pro");
  await setActive(orgId, false);
  const { db } = shop.database;
  const locked = createTestPayments({ db, stripe: { ...shop.stripe.settings, secretKey: "sk_test_other" } });
  await expect(locked.endInactive(orgId)).rejects.toThrow();
  expect(await subscriptionOf(orgId)).toMatchObject({ plan: "pro", endsAt: null });
  await shop.payments.endInactive(orgId);
});

test("a cheaper plan that would have come next does not come", async () => {
  const { orgId, paid } = await subscribe("enterprise");
  await shop.payments.changePlan({ ...buyerOf(orgId), plan: "enterprise" }, "pro");
  await setActive(orgId, false);
  await shop.payments.endInactive(orgId);
  expect(paid?.cancel_at_period_end).toBe(true);
  expect(await subscriptionOf(orgId)).toMatchObject({ plan: "enterprise", next: null });
});

test("a checkout that is paid after the deactivation buys one month", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  await setActive(orgId, false);
  await shop.deliver(...shop.stripe.pay(session));
  await shop.payments.endInactive(null);
  expect(atStripe(session)?.cancel_at_period_end).toBe(true);
});

test("active again, an owner can stay with the plan while its month lasts", async () => {
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

test("what an inactive organization had begun to buy cannot be paid any more, and is not asked for again", async () => {
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

test("a checkout that Stripe has closed by itself long ago is not asked for", async () => {
  const orgId = await shop.found();
  await shop.order(orgId, { pack: "small" });
  await setActive(orgId, false);
  await shop.advance(2 * DAY_MS);
  const asked = shop.stripe.asked.length;
  await shop.payments.endInactive(null);
  expect(shop.stripe.asked).toHaveLength(asked);
});
