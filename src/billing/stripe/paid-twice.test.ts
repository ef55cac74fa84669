import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/index.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

const choose = async (orgId: string, plan: string) =>
  shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, plan);

const checkoutsOf = (orgId: string, status: string) =>
  [...shop.stripe.sessions.values()].filter(
    (session) => session.client_reference_id === orgId && session.status === status,
  );

test("while a paid plan is not reported yet, none can be bought; once it is, a dearer one can", async () => {
  const orgId = await shop.found();
  const reports = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
  expect(await choose(orgId, "pro")).toEqual({ outcome: "on_its_way" });
  expect(await choose(orgId, "enterprise")).toEqual({ outcome: "on_its_way" });
  expect(checkoutsOf(orgId, "open")).toEqual([]);
  const orders = await shop.payments.orders(orgId, 3);
  expect(orders.map(({ status }) => status)).toEqual(["expired", "expired", "open"]);
  await shop.deliver(...reports);
  expect(await choose(orgId, "enterprise")).toMatchObject({ outcome: "ok" });
});

test("a payment that is not reported within days keeps nobody from a plan any more", async () => {
  const orgId = await shop.found();
  shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
  await shop.advance(3.9 * DAY_MS);
  expect(await choose(orgId, "pro")).toEqual({ outcome: "on_its_way" });
  await shop.advance(0.2 * DAY_MS);
  expect(await choose(orgId, "pro")).toMatchObject({ outcome: "ok" });
});

test("a payment that a bank has not made, and may never make, keeps nobody from a plan", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  shop.stripe.pay(session);
  Object.assign(shop.stripe.sessions.get(session) ?? {}, { payment_status: "unpaid" });
  expect(await choose(orgId, "pro")).toMatchObject({ outcome: "ok" });
});

test("a checkout that expired without a report of it, or that Stripe does not know, keeps nobody either", async () => {
  const orgId = await shop.found();
  shop.stripe.expire(await shop.order(orgId, { plan: "pro" }));
  const moved = await shop.order(orgId, { plan: "pro" });
  await shop.database.db.pool.query(
    "update payment_orders set checkout_id = 'cs_elsewhere' where checkout_id = $1",
    [moved],
  );
  expect(await choose(orgId, "pro")).toMatchObject({ outcome: "ok" });
  const orders = await shop.payments.orders(orgId, 3);
  expect(orders.map(({ status }) => status)).toEqual(["open", "open", "expired"]);
});
