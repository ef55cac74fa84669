import { afterAll, beforeAll, expect, test } from "bun:test";
import { RESTRICTED_KEY } from "../../../../test/stripe/fake-stripe.ts";
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

test("the invoice of a subscription that cannot be ended is still collected", async () => {
  const { id, draft } = await renewing();
  await expect(end({ ...stripe, endNow: away }, id)).rejects.toThrow("away");
  expect(await shop.deliver(...shop.stripe.collect(draft))).toEqual(["done"]);
});

test("a draft left over from an ended subscription is stopped when ending is repeated", async () => {
  const { id, draft } = await renewing();
  await expect(end({ ...stripe, stopCollecting: away }, id)).rejects.toThrow("away");
  expect((await end(stripe, id))?.status).toBe("canceled");
  expect(shop.stripe.collect(draft)).toEqual([]);
});

test("a draft left over from an ended subscription is stopped when its end is reported", async () => {
  const { id, draft } = await renewing();
  await expect(end({ ...stripe, stopCollecting: away }, id)).rejects.toThrow("away");
  const ended = shop.stripe.update(id, {});
  expect(await shop.deliver(...ended, ...ended)).toEqual(["done", "ignored"]);
  expect(shop.stripe.collect(draft)).toEqual([]);
});

test("a draft of a foreign subscription is left alone, even if its end is reported here", async () => {
  const { id, draft } = await renewing();
  const ended = shop.stripe.update(id, { status: "canceled", metadata: {} });
  await shop.deliver(...ended);
  expect(shop.stripe.collect(draft)).toHaveLength(1);
});

test("a key that may not write invoices still ends a plan, with an alert about the draft", async () => {
  const { id, draft } = await renewing();
  const restricted = openStripe({ ...shop.stripe.settings, secretKey: RESTRICTED_KEY });
  const told: unknown[] = [];
  const ended = await end(restricted, id, (...alert) => void told.push(alert));
  expect(ended?.status).toBe("canceled");
  expect(told).toEqual([["draft_not_stopped", { subscription: id, invoice: draft }]]);
});
