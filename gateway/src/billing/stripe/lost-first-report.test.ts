import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createBilling } from "../index.ts";
import { TEST_PLANS } from "../testing.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

const subscriptionOf = (session: string) => shop.stripe.sessions.get(session)?.subscription ?? "";
const statusOf = (subscriptionId: string) => shop.stripe.subscriptions.get(subscriptionId)?.status;
const available = async (orgId: string): Promise<number> => (await shop.account(orgId)).subscriptionAvailable;

/** After this time another plan can be bought, although Stripe says that one was paid. */
const APART_MS = 5 * DAY_MS;

/** Two plans are bought, days apart; the reports of the first were lost. `renewal` advances to its second month. */
async function buyTwice(first: string, second: string) {
  const orgId = await shop.found();
  const lost = await shop.order(orgId, { plan: first });
  shop.stripe.pay(lost);
  await shop.advance(APART_MS);
  const standing = await shop.order(orgId, { plan: second });
  const paid = shop.stripe.pay(standing);
  await shop.deliver(...paid);
  const intent = shop.stripe.intentOf(String(paid[1]?.data.object["id"]));
  const older = subscriptionOf(lost);
  const { current_period_start: begun, current_period_end: ends } = shop.stripe.subscriptions.get(older)
    ?.items.data[0] ?? { current_period_start: 0, current_period_end: 0 };
  const renewal = () => shop.advance((ends - begun) * 1_000 - APART_MS);
  return { orgId, older, newer: subscriptionOf(standing), intent, renewal };
}

describe("a subscription whose first report was lost, when its second month is reported,", () => {
  test.each([
    ["pro", "enterprise", 600_000],
    ["pro", "pro", 50_000],
    ["enterprise", "pro", 50_000],
  ])("ends and takes nothing from the plan bought since: %s, then %s", async (first, second, credits) => {
    const { orgId, older, newer, renewal } = await buyTwice(first, second);
    await renewal();
    await shop.deliver(...shop.stripe.renew(older));
    expect([await shop.planOf(orgId), await available(orgId)]).toEqual([second, credits]);
    expect([statusOf(older), statusOf(newer)]).toEqual(["canceled", "active"]);
    await shop.advance(APART_MS);
    await shop.deliver(...shop.stripe.renew(newer));
    expect([await shop.planOf(orgId), await available(orgId)]).toEqual([second, credits]);
  });

  test("becomes the plan when the other one's month is over", async () => {
    const { orgId, older } = await buyTwice("pro", "enterprise");
    await shop.advance(33 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(older));
    expect([await shop.planOf(orgId), await available(orgId)]).toEqual(["pro", 50_000]);
    expect(statusOf(older)).toBe("active");
  });

  test("becomes the plan when the other one's month was fully refunded, and not when partly", async () => {
    const refunds = [49_900, 49_899];
    const plans: string[] = [];
    for (const cents of refunds) {
      const { orgId, older, intent, renewal } = await buyTwice("pro", "enterprise");
      await shop.deliver(...shop.stripe.refund(intent, cents, 49_900));
      await renewal();
      await shop.deliver(...shop.stripe.renew(older));
      plans.push(await shop.planOf(orgId));
    }
    expect(plans).toEqual(["pro", "enterprise"]);
  });

  test("becomes the plan when the open month was set by an operator and not paid", async () => {
    const { db } = shop.database;
    const { orgId, older, renewal } = await buyTwice("pro", "pro");
    await db.pool.query("update organization set plan = 'enterprise' where id = $1", [orgId]);
    await createBilling({ db, ledger: shop.ledger, plans: TEST_PLANS, log: silentLog }).startPlan(orgId);
    expect(await available(orgId)).toBe(600_000);
    await renewal();
    await shop.deliver(...shop.stripe.renew(older));
    expect([await shop.planOf(orgId), await available(orgId)]).toEqual(["pro", 50_000]);
  });

  test("keeps running when that month is over by then", async () => {
    const { orgId, older, newer } = await buyTwice("pro", "enterprise");
    await shop.advance(31 * DAY_MS);
    const month = shop.stripe.renew(older);
    await shop.advance(32 * DAY_MS);
    shop.stripe.renew(newer);
    await shop.deliver(...shop.stripe.renew(newer), ...month);
    expect([await shop.planOf(orgId), await available(orgId)]).toEqual(["enterprise", 600_000]);
    expect(statusOf(older)).toBe("active");
  });
});

test("the plan that is paid last begins, even if its checkout was opened first", async () => {
  const orgId = await shop.found();
  const first = await shop.order(orgId, { plan: "enterprise" });
  await shop.advance(HOUR_MS);
  await shop.deliver(...shop.stripe.pay(await shop.order(orgId, { plan: "pro" })));
  // A payment was in progress, so the checkout could not be closed.
  Object.assign(shop.stripe.sessions.get(first) ?? {}, { status: "open" });
  await shop.advance(22 * HOUR_MS);
  await shop.deliver(...shop.stripe.pay(first));
  expect([await shop.planOf(orgId), await available(orgId)]).toEqual(["enterprise", 600_000]);
});
