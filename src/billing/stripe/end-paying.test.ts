import { afterAll, beforeAll, expect, test } from "bun:test";
import { RESTRICTED_KEY } from "../../../test/stripe/fake-stripe.ts";
import { DAY_MS } from "../../kit/index.ts";
import { endPaying } from "./end-paying.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";
import type { ReportDeps } from "./report-deps.ts";
import { openStripe, type StripeAccount } from "./stripe-account.ts";

/** A plan that is left during the hour in which its renewal invoice is a draft, with only some of the steps done. */
let shop: PaymentFixture;
let stripe: StripeAccount;
beforeAll(async () => {
  shop = await createPaymentFixture();
  stripe = openStripe(shop.stripe.settings);
});
afterAll(() => shop.close());

async function renewing() {
  const session = await shop.order(await shop.found(), { plan: "pro" });
  await shop.deliver(...shop.stripe.pay(session));
  const id = shop.stripe.sessions.get(session)?.subscription ?? "";
  await shop.advance(31 * DAY_MS);
  return { id, draft: shop.stripe.beginMonth(id) };
}

const end = (account: StripeAccount, id: string, alert: ReportDeps["alert"] = () => {}) =>
  endPaying({ stripe: account, alert }, id);

const away = () => Promise.reject(new Error("Stripe is away"));

test("a subscription that cannot be ended is collected on: it would run unpaid", async () => {
  const { id, draft } = await renewing();
  await expect(end({ ...stripe, endNow: away }, id)).rejects.toThrow("away");
  expect(await shop.deliver(...shop.stripe.collect(draft))).toEqual(["done"]);
});

test("a draft that is left of one that was ended is stopped when that is asked again", async () => {
  const { id, draft } = await renewing();
  await expect(end({ ...stripe, stopCollecting: away }, id)).rejects.toThrow("away");
  expect((await end(stripe, id))?.status).toBe("canceled");
  expect(shop.stripe.collect(draft)).toEqual([]);
});

test("a draft that is left of one that was ended is stopped at the report of its end", async () => {
  const { id, draft } = await renewing();
  await expect(end({ ...stripe, stopCollecting: away }, id)).rejects.toThrow("away");
  const ended = shop.stripe.update(id, {});
  expect(await shop.deliver(...ended, ...ended)).toEqual(["done", "ignored"]);
  expect(shop.stripe.collect(draft)).toEqual([]);
});

test("a draft of somebody else's subscription is left alone, though its end is reported here", async () => {
  const { id, draft } = await renewing();
  const ended = shop.stripe.update(id, { status: "canceled", metadata: {} });
  await shop.deliver(...ended);
  expect(shop.stripe.collect(draft)).toHaveLength(1);
});

test("a key that may not write invoices ends a plan all the same, and a person is told of its draft", async () => {
  const { id, draft } = await renewing();
  const restricted = openStripe({ ...shop.stripe.settings, secretKey: RESTRICTED_KEY });
  const told: unknown[] = [];
  const ended = await end(restricted, id, (...alert) => void told.push(alert));
  expect(ended?.status).toBe("canceled");
  expect(told).toEqual([["draft_not_stopped", { subscription: id, invoice: draft }]]);
});
