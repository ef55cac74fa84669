import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/index.ts";
import { createTestPayments } from "../testing.ts";
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

test("no plan can be bought until a paid one is reported; then a more expensive one can", async () => {
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

test("a payment that is not reported within four days no longer blocks buying a plan", async () => {
  const orgId = await shop.found();
  shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
  await shop.advance(3.9 * DAY_MS);
  expect(await choose(orgId, "pro")).toEqual({ outcome: "on_its_way" });
  await shop.advance(0.2 * DAY_MS);
  expect(await choose(orgId, "pro")).toMatchObject({ outcome: "ok" });
});

test("a payment that a bank has not made does not block buying a plan", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  shop.stripe.pay(session);
  Object.assign(shop.stripe.sessions.get(session) ?? {}, { payment_status: "unpaid" });
  expect(await choose(orgId, "pro")).toMatchObject({ outcome: "ok" });
});

test("a checkout that expired without a report, or that Stripe does not know, blocks nothing either", async () => {
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

/** A Stripe that opens no checkout before this many were requested. */
function openTogether(count: number) {
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch({ method, url, headers, body }) {
      const { pathname } = new URL(url);
      if (pathname === "/v1/checkout/sessions" && ++waiting === count) all.resolve();
      if (pathname === "/v1/checkout/sessions") await all.promise;
      return fetch(`${shop.stripe.settings.apiUrl}${pathname}`, { method, headers, body });
    },
  });
}

test("of plans chosen concurrently one can be paid, and the other choices are reported as overtaken", async () => {
  const orgId = await shop.found();
  const between = openTogether(3);
  const { db } = shop.database;
  const apiUrl = `http://127.0.0.1:${between.port}`;
  const payments = createTestPayments({ db, stripe: { ...shop.stripe.settings, apiUrl } });
  const buyer = { ...buyerOf(orgId), plan: "free" };
  const chosen = await Promise.all(
    ["pro", "enterprise", "pro"].map((plan) => payments.changePlan(buyer, plan)),
  );
  await between.stop(true);
  expect(chosen.map(({ outcome }) => outcome).toSorted()).toEqual(["ok", "overtaken", "overtaken"]);
  const [open, ...others] = checkoutsOf(orgId, "open");
  expect(others).toEqual([]);
  expect(chosen).toContainEqual({ outcome: "ok", url: open?.url ?? "" });
  const orders = await payments.orders(orgId, 3);
  expect(orders.map(({ status }) => status).toSorted()).toEqual(["expired", "expired", "open"]);
});

test("an order from before the clock was set back that has no checkout does not block buying a plan", async () => {
  const orgId = await shop.found();
  await shop.order(orgId, { plan: "pro" });
  await shop.database.db.pool.query(
    "update payment_orders set checkout_id = null, created_at = bursar_now() + interval '1 hour' where org_id = $1",
    [orgId],
  );
  expect(await choose(orgId, "pro")).toMatchObject({ outcome: "ok" });
});
