import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { creditDelta, credits, DAY_MS } from "../../kit/index.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

const SMALL_CENTS = 1_000;

async function buy(orgId: string) {
  const session = await shop.order(orgId, { pack: "small" });
  const paid = shop.stripe.pay(session);
  return { paid, intent: shop.stripe.sessions.get(session)?.payment_intent ?? "" };
}

/** Spends as calls would; the ledger does not distinguish. */
async function spend(orgId: string, amount: number) {
  await shop.ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(-amount), description: "spent" });
}

async function standing(orgId: string) {
  const { anytimeAvailable, debt } = await shop.account(orgId);
  return { anytime: anytimeAvailable as number, debt: debt as number };
}

function failedRefunds(): number {
  const counted = /bursar_payment_alerts_total\{reason="refund_failed"\} (\d+)/.exec(shop.metrics.render());
  return Number(counted?.[1]);
}

describe("a refund", () => {
  test("takes the credits back once, however often it is reported", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    await shop.deliver(...paid);
    const refund = shop.stripe.refund(intent, SMALL_CENTS, SMALL_CENTS);
    await Promise.all(Array.from({ length: 20 }, () => shop.deliver(...refund)));
    expect(await standing(orgId)).toEqual({ anytime: 0, debt: 0 });
    expect((await shop.payments.orders(orgId, 1))[0]?.refundedCents).toBe(SMALL_CENTS);
  });

  test("of spent credits becomes a debt, which the next top-up pays first", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    await shop.deliver(...paid);
    await spend(orgId, 7_500);
    await shop.deliver(...shop.stripe.refund(intent, SMALL_CENTS, SMALL_CENTS));
    expect(await standing(orgId)).toEqual({ anytime: 0, debt: 7_500 });
    await shop.deliver(...(await buy(orgId)).paid);
    expect(await standing(orgId)).toEqual({ anytime: 2_500, debt: 0 });
  });

  test("in parts takes back in proportion, in whatever order the parts are reported", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    await shop.deliver(...paid);
    const [third, more] = [
      shop.stripe.refund(intent, 333, SMALL_CENTS),
      shop.stripe.refund(intent, 500, SMALL_CENTS),
    ];
    await shop.deliver(...third);
    expect((await standing(orgId)).anytime).toBe(6_670);
    await shop.deliver(...more, ...third);
    expect((await standing(orgId)).anytime).toBe(5_000);
  });

  test("reported before its payment is applied when that is reported", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    expect(await shop.deliver(...shop.stripe.refund(intent, SMALL_CENTS, SMALL_CENTS))).toEqual(["ignored"]);
    await shop.deliver(...paid);
    expect(await standing(orgId)).toEqual({ anytime: 0, debt: 0 });
    expect(await shop.granted(orgId)).toBe(10_000);
  });

  test.each(["failed", "canceled"])(
    "that is %s later raises an alert and gives no credits back by itself",
    async (status) => {
      const orgId = await shop.found();
      const { paid, intent } = await buy(orgId);
      await shop.deliver(...paid, ...shop.stripe.refund(intent, SMALL_CENTS, SMALL_CENTS));
      const reports = shop.stripe.refundBecame(intent, SMALL_CENTS, status);
      const before = failedRefunds();
      expect(new Set(await shop.deliver(...reports))).toEqual(new Set(["done"]));
      expect(failedRefunds()).toBe(before + reports.length);
      expect(await standing(orgId)).toEqual({ anytime: 0, debt: 0 });
    },
  );

  test("that succeeded, or that is of a foreign payment, raises no alert", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    await shop.deliver(...paid, ...shop.stripe.refund(intent, SMALL_CENTS, SMALL_CENTS));
    const before = failedRefunds();
    const reports = [
      ...shop.stripe.refundBecame(intent, SMALL_CENTS, "succeeded"),
      ...shop.stripe.refundBecame("pi_elsewhere", SMALL_CENTS, "failed"),
    ];
    expect(new Set(await shop.deliver(...reports))).toEqual(new Set(["ignored"]));
    expect(failedRefunds()).toBe(before);
  });

  test("of a plan takes the remaining credits of the month first", async () => {
    const orgId = await shop.found();
    await shop.deliver(...(await buy(orgId)).paid);
    const paid = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
    await shop.deliver(...paid);
    const invoiceId = String(paid[1]?.data.object["id"]);
    await shop.deliver(...shop.stripe.refund(shop.stripe.intentOf(invoiceId), 4_900, 4_900));
    expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(0);
    expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
  });

  test("of a month that is over is taken from anytime credits, and the rest becomes a debt", async () => {
    const orgId = await shop.found();
    await shop.deliver(...(await buy(orgId)).paid);
    const paid = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
    await shop.deliver(...paid);
    await shop.advance(40 * DAY_MS);
    const invoiceId = String(paid[1]?.data.object["id"]);
    await shop.deliver(...shop.stripe.refund(shop.stripe.intentOf(invoiceId), 4_900, 4_900));
    expect(await standing(orgId)).toEqual({ anytime: 0, debt: 40_000 });
  });
});

test("a refund after an upgrade makes expired credits a debt too, and a manual grant can pay it", async () => {
  const orgId = await shop.found();
  const paid = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
  await shop.deliver(...paid);
  await shop.advance(DAY_MS);
  await shop.deliver(...shop.stripe.pay(await shop.order(orgId, { plan: "enterprise" })));
  const intent = shop.stripe.intentOf(String(paid[1]?.data.object["id"]));
  await shop.deliver(...shop.stripe.refund(intent, 4_900, 4_900));
  expect(await standing(orgId)).toEqual({ anytime: 0, debt: 50_000 });
  expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(600_000);
  const byHand = {
    pool: "anytime",
    kind: "manual",
    reference: null,
    expiresAt: null,
    description: "",
  } as const;
  await shop.ledger.grant({ ...byHand, orgId, amount: credits(50_000) });
  expect(await standing(orgId)).toEqual({ anytime: 0, debt: 0 });
});

describe("a dispute", () => {
  test("takes credits back while it is open; won, they return after the debt; lost, they do not", async () => {
    for (const [outcome, expected] of [
      ["won", { anytime: 6_000, debt: 0 }],
      ["lost", { anytime: 0, debt: 4_000 }],
    ] as const) {
      const orgId = await shop.found();
      const { paid, intent } = await buy(orgId);
      await shop.deliver(...paid);
      await spend(orgId, 4_000);
      const id = `dp_${outcome}_${orgId}`;
      await shop.deliver(...shop.stripe.dispute(id, intent, SMALL_CENTS, "needs_response"));
      expect(await standing(orgId)).toEqual({ anytime: 0, debt: 4_000 });
      await shop.deliver(...shop.stripe.dispute(id, intent, SMALL_CENTS, outcome));
      await shop.deliver(...shop.stripe.dispute(id, intent, SMALL_CENTS, "needs_response"));
      expect(await standing(orgId)).toEqual(expected);
    }
  });

  describe("of a plan that is won", () => {
    /** A month of the pro plan with some credits spent, beside a small pack; and its dispute. */
    async function disputed(spent = 2_000) {
      const orgId = await shop.found();
      await shop.deliver(...(await buy(orgId)).paid);
      const paid = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
      await shop.deliver(...paid);
      const amount = creditDelta(-spent);
      if (spent > 0) await shop.ledger.adjust({ orgId, pool: "subscription", amount, description: "spent" });
      const intent = shop.stripe.intentOf(String(paid[1]?.data.object["id"]));
      const report = (status: string) =>
        shop.deliver(...shop.stripe.dispute(`dp_${orgId}`, intent, 4_900, status));
      await report("needs_response");
      expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(0);
      expect(await standing(orgId)).toEqual({
        anytime: Math.max(0, 10_000 - spent),
        debt: Math.max(0, spent - 10_000),
      });
      return { orgId, win: () => report("won") };
    }

    test("returns to the open month what was taken from it, and to anytime credits the rest", async () => {
      const { orgId, win } = await disputed();
      await win();
      expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(48_000);
      expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
      await win();
      expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
    });

    test("returns credits only to the month when nothing else was taken", async () => {
      const { orgId, win } = await disputed(0);
      await win();
      expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(50_000);
      expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
    });

    test("returns nothing to a month that was spent", async () => {
      const { orgId, win } = await disputed(50_000);
      await win();
      expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(0);
      expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
    });

    test("returns anytime credits when the month is over", async () => {
      const { orgId, win } = await disputed();
      await shop.advance(40 * DAY_MS);
      await win();
      expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(0);
      expect(await standing(orgId)).toEqual({ anytime: 58_000, debt: 0 });
    });
  });

  test("of a refunded payment takes nothing twice", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    await shop.deliver(...paid, ...(await buy(orgId)).paid);
    await shop.deliver(...shop.stripe.refund(intent, SMALL_CENTS, SMALL_CENTS));
    await shop.deliver(...shop.stripe.dispute(`dp_${orgId}`, intent, SMALL_CENTS, "needs_response"));
    expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
  });

  test("that is only an inquiry takes nothing", async () => {
    const orgId = await shop.found();
    const { paid, intent } = await buy(orgId);
    await shop.deliver(...paid);
    await shop.deliver(...shop.stripe.dispute(`dp_${orgId}`, intent, SMALL_CENTS, "warning_needs_response"));
    expect(await standing(orgId)).toEqual({ anytime: 10_000, debt: 0 });
  });
});
