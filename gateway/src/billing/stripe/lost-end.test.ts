import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/index.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

async function subscribe() {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  await shop.deliver(...shop.stripe.pay(session));
  return { orgId, subscriptionId: shop.stripe.sessions.get(session)?.subscription ?? "" };
}

const change = async (orgId: string) =>
  shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, "pro");

describe("choosing the current plan again long after its next month was due", () => {
  test("buys it again when it has ended at Stripe without a report", async () => {
    const { orgId, subscriptionId } = await subscribe();
    shop.stripe.update(subscriptionId, { status: "canceled" });
    await shop.advance(33 * DAY_MS);
    const session = await shop.order(orgId, { plan: "pro" });
    expect(await shop.planOf(orgId)).toBe("free");
    await shop.deliver(...shop.stripe.pay(session));
    expect(await shop.planOf(orgId)).toBe("pro");
    expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(50_000);
  });

  test("buys it again when it was cancelled and the report of its end was lost", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, "free");
    shop.stripe.update(subscriptionId, { status: "canceled" });
    await shop.advance(33 * DAY_MS);
    await shop.deliver(...shop.stripe.pay(await shop.order(orgId, { plan: "pro" })));
    expect(await shop.planOf(orgId)).toBe("pro");
    expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(50_000);
  });

  test("changes nothing when it runs at Stripe or is unknown there", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(33 * DAY_MS);
    expect(await change(orgId)).toEqual({ outcome: "same" });
    await shop.database.db.pool.query("update paid_subscriptions set id = 'sub_unknown' where id = $1", [
      subscriptionId,
    ]);
    expect(await change(orgId)).toEqual({ outcome: "same" });
    expect(await shop.planOf(orgId)).toBe("pro");
  });

  test("reports that Stripe is unreachable", async () => {
    const { orgId } = await subscribe();
    await shop.advance(33 * DAY_MS);
    shop.stripe.failNext(3);
    expect(await change(orgId)).toEqual({ outcome: "unreachable" });
  });
});

test("choosing the current plan does not ask Stripe before its next month is a day overdue", async () => {
  const { orgId, subscriptionId } = await subscribe();
  shop.stripe.update(subscriptionId, { status: "canceled" });
  const { rows } = await shop.database.db.pool.query(
    "select (extract(epoch from renews_at - bursar_now()) * 1000)::int8::text as left_ms from subscriptions where org_id = $1",
    [orgId],
  );
  const asked = shop.stripe.asked.length;
  expect(await change(orgId)).toEqual({ outcome: "same" });
  await shop.advance(Number(rows[0]?.left_ms) + DAY_MS - 60_000);
  expect(await change(orgId)).toEqual({ outcome: "same" });
  expect(shop.stripe.asked).toHaveLength(asked);
  await shop.advance(60_000);
  expect(await change(orgId)).toMatchObject({ outcome: "ok" });
});
