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

describe("who chooses the plan that they have, long after its next month was to begin,", () => {
  test("can buy it again where it has ended at Stripe, and nobody heard of it", async () => {
    const { orgId, subscriptionId } = await subscribe();
    shop.stripe.update(subscriptionId, { status: "canceled" });
    await shop.advance(33 * DAY_MS);
    const session = await shop.order(orgId, { plan: "pro" });
    expect(await shop.planOf(orgId)).toBe("free");
    await shop.deliver(...shop.stripe.pay(session));
    expect(await shop.planOf(orgId)).toBe("pro");
    expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(50_000);
  });

  test("can buy it again where it was given up, too, and its end was lost", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, "free");
    shop.stripe.update(subscriptionId, { status: "canceled" });
    await shop.advance(33 * DAY_MS);
    await shop.deliver(...shop.stripe.pay(await shop.order(orgId, { plan: "pro" })));
    expect(await shop.planOf(orgId)).toBe("pro");
    expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(50_000);
  });

  test("has it already where it runs at Stripe, or is none of this account's", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(33 * DAY_MS);
    expect(await change(orgId)).toEqual({ outcome: "same" });
    await shop.database.db.pool.query("update paid_subscriptions set id = 'sub_unknown' where id = $1", [
      subscriptionId,
    ]);
    expect(await change(orgId)).toEqual({ outcome: "same" });
    expect(await shop.planOf(orgId)).toBe("pro");
  });

  test("is told so where Stripe cannot be asked", async () => {
    const { orgId } = await subscribe();
    await shop.advance(33 * DAY_MS);
    shop.stripe.failNext(3);
    expect(await change(orgId)).toEqual({ outcome: "unreachable" });
  });
});

test("nobody asks Stripe about a plan whose next month is not overdue by a day", async () => {
  const { orgId, subscriptionId } = await subscribe();
  shop.stripe.update(subscriptionId, { status: "canceled" });
  const asked = shop.stripe.asked.length;
  expect(await change(orgId)).toEqual({ outcome: "same" });
  expect(shop.stripe.asked).toHaveLength(asked);
});
