import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../kit/index.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

/** Choices made after a month has begun at Stripe and before its payment is reported. */
let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

async function subscribe(plan: string) {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan });
  await shop.deliver(...shop.stripe.pay(session));
  const subscriptionId = shop.stripe.sessions.get(session)?.subscription ?? "";
  await shop.advance(31 * DAY_MS);
  return { orgId, subscriptionId };
}

const change = async (orgId: string, plan: string) =>
  shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, plan);
const paidBy = async (orgId: string) => (await shop.payments.planState(orgId)).subscription;
const available = async (orgId: string): Promise<number> => (await shop.account(orgId)).subscriptionAvailable;

describe("a cheaper plan chosen", () => {
  test("while the month's invoice is a draft begins next month; this one is paid and granted as ordered", async () => {
    const { orgId, subscriptionId } = await subscribe("enterprise");
    const draft = shop.stripe.beginMonth(subscriptionId);
    expect(await change(orgId, "pro")).toEqual({ outcome: "changed" });
    await shop.advance(HOUR_MS);
    const paid = shop.stripe.collect(draft);
    expect(await shop.deliver(...paid, ...paid)).toEqual(["done", "done"]);
    expect(await available(orgId)).toBe(600_000);
    expect(await paidBy(orgId)).toMatchObject({ plan: "enterprise", next: { plan: "pro" } });
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId));
    expect(await available(orgId)).toBe(50_000);
    expect(await paidBy(orgId)).toMatchObject({ plan: "pro", next: null });
  });

  test("while the month is owed is kept when that is paid, and can still be undone", async () => {
    const { orgId, subscriptionId } = await subscribe("enterprise");
    await shop.deliver(...shop.stripe.renew(subscriptionId, "failed"));
    expect(await change(orgId, "pro")).toEqual({ outcome: "changed" });
    const owed = shop.stripe.subscriptions.get(subscriptionId)?.latest_invoice ?? "";
    await shop.deliver(...shop.stripe.collect(owed));
    expect(await available(orgId)).toBe(600_000);
    expect(await paidBy(orgId)).toMatchObject({ plan: "enterprise", next: { plan: "pro" }, state: "active" });
    const [chosen] = await shop.payments.orders(orgId, 1);
    expect(chosen).toMatchObject({ item: "pro", status: "open" });
    expect(await change(orgId, "enterprise")).toEqual({ outcome: "changed" });
    expect(shop.stripe.subscriptions.get(subscriptionId)?.items.data[0]?.price.unit_amount).toBe(49_900);
  });
});

describe("a more expensive plan that is paid before the other one's renewal and reported after it", () => {
  async function upgradeBeforeRenewal() {
    const orgId = await shop.found();
    const session = await shop.order(orgId, { plan: "pro" });
    await shop.deliver(...shop.stripe.pay(session));
    const first = shop.stripe.sessions.get(session)?.subscription ?? "";
    await shop.advance(27 * DAY_MS);
    const upgrade = await shop.order(orgId, { plan: "enterprise" });
    const events = shop.stripe.pay(upgrade);
    const second = shop.stripe.sessions.get(upgrade)?.subscription ?? "";
    await shop.advance(4 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(first));
    await shop.advance(HOUR_MS);
    return { orgId, first, second, events };
  }

  const statusOf = (id: string) => shop.stripe.subscriptions.get(id)?.status;

  test("begins, and the other one ends", async () => {
    const { orgId, first, second, events } = await upgradeBeforeRenewal();
    await Promise.all([shop.deliver(...events), shop.deliver(...events)]);
    expect(await shop.planOf(orgId)).toBe("enterprise");
    expect(await available(orgId)).toBe(600_000);
    expect(await paidBy(orgId)).toMatchObject({ id: second, plan: "enterprise" });
    expect([statusOf(first), statusOf(second)]).toEqual(["canceled", "active"]);
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(second));
    expect(await available(orgId)).toBe(600_000);
  });

  test("ends nothing when it was ended at Stripe meanwhile", async () => {
    const { orgId, first, second, events } = await upgradeBeforeRenewal();
    const [ended] = shop.stripe.update(second, { status: "canceled" });
    await shop.deliver(...events, ...(ended ? [ended] : []));
    expect(await shop.planOf(orgId)).toBe("pro");
    expect(await available(orgId)).toBe(50_000);
    expect(statusOf(first)).toBe("active");
  });
});

test("a more expensive plan that is paid while the other's invoice is a draft stops its collection", async () => {
  const { orgId, subscriptionId } = await subscribe("pro");
  const draft = shop.stripe.beginMonth(subscriptionId);
  await shop.deliver(...shop.stripe.pay(await shop.order(orgId, { plan: "enterprise" })));
  expect(shop.stripe.subscriptions.get(subscriptionId)?.status).toBe("canceled");
  expect(shop.stripe.collect(draft)).toEqual([]);
  expect(await available(orgId)).toBe(600_000);
});

describe("a plan that is left while the month's invoice is a draft", () => {
  test("ends immediately, and that month is no longer collected", async () => {
    const { orgId, subscriptionId } = await subscribe("pro");
    const draft = shop.stripe.beginMonth(subscriptionId);
    expect(await change(orgId, "free")).toEqual({ outcome: "changed" });
    await shop.advance(HOUR_MS);
    expect(shop.stripe.collect(draft)).toEqual([]);
    expect(shop.stripe.subscriptions.get(subscriptionId)?.status).toBe("canceled");
    expect(await shop.planOf(orgId)).toBe("free");
    expect(await paidBy(orgId)).toBeUndefined();
  });

  test("because its organization was made inactive ends immediately too", async () => {
    const { orgId, subscriptionId } = await subscribe("pro");
    const draft = shop.stripe.beginMonth(subscriptionId);
    await shop.database.db.pool.query("update organization set active = false where id = $1", [orgId]);
    await shop.payments.endInactive(orgId);
    expect(shop.stripe.collect(draft)).toEqual([]);
    expect(shop.stripe.subscriptions.get(subscriptionId)?.status).toBe("canceled");
  });

  test("lasts to the end of that month when it was paid meanwhile, even before this is reported", async () => {
    const { orgId, subscriptionId } = await subscribe("pro");
    const paid = shop.stripe.collect(shop.stripe.beginMonth(subscriptionId));
    expect(await change(orgId, "free")).toEqual({ outcome: "changed" });
    await shop.deliver(...paid);
    expect(shop.stripe.subscriptions.get(subscriptionId)).toMatchObject({
      status: "active",
      cancel_at_period_end: true,
    });
    expect(await available(orgId)).toBe(50_000);
    expect((await paidBy(orgId))?.endsAt).toBeInstanceOf(Date);
  });
});

test("a total that fits neither order of the subscription is refused", async () => {
  const { orgId, subscriptionId } = await subscribe("enterprise");
  const item = shop.stripe.subscriptions.get(subscriptionId)?.items.data[0];
  if (item) item.price.unit_amount = 4_800;
  const draft = shop.stripe.beginMonth(subscriptionId);
  await change(orgId, "pro");
  expect(await shop.deliver(...shop.stripe.collect(draft))).toEqual(["refused"]);
  expect(await shop.granted(orgId)).toBe(600_000);
});
