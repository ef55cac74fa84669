import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { signReport } from "../../../../test/stripe/fake-stripe.ts";
import { createPaymentFixture, type PaymentFixture } from "../../billing/stripe/payments-testing.ts";
import { armFailpoint, FailpointError } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import type { Mount } from "../context.ts";
import { stripeWebhook } from "./stripe-webhook.ts";

let shop: PaymentFixture;
let webhook: Mount;
let orgId: string;
beforeAll(async () => {
  shop = await createPaymentFixture();
  webhook = stripeWebhook({ payments: shop.payments, log: silentLog });
});
afterAll(() => shop.close());
beforeEach(async () => {
  orgId = await shop.found();
});

async function paid(): Promise<object> {
  return shop.stripe.pay(await shop.order(orgId, { pack: "small" }))[0] ?? {};
}

function send(body: BodyInit, headers: Record<string, string> = {}, method = "POST"): Promise<Response> {
  const init = method === "GET" ? { method, headers } : { method, headers, body };
  const noCalls = () => Promise.reject(new Error("a report calls no endpoint"));
  return webhook.handle(new Request("http://127.0.0.1:8787/webhooks/stripe", init), "10.0.0.1", noCalls);
}

function sendSigned(event: object): Promise<Response> {
  const { body, signature } = signReport(event);
  return send(new Blob([body as BlobPart]), {
    "stripe-signature": signature,
    "content-type": "application/json",
  });
}

const anytime = async () => (await shop.account(orgId)).anytimeAvailable as number;

describe("a webhook from Stripe", () => {
  test("is applied once and answered 200, also when it is repeated", async () => {
    const event = await paid();
    expect((await sendSigned(event)).status).toBe(200);
    expect((await sendSigned(event)).status).toBe(200);
    expect(await anytime()).toBe(10_000);
  });

  test("with another amount than our order is 409, and grants nothing", async () => {
    const event = structuredClone(await paid()) as { data: { object: Record<string, unknown> } };
    event.data.object["amount_total"] = 1;
    expect((await sendSigned(event)).status).toBe(409);
    expect(await anytime()).toBe(0);
  });

  test("is 500 without details if processing fails, and is applied when Stripe sends it again", async () => {
    const event = await paid();
    const disarm = armFailpoint("webhook_after_verify", () => {
      throw new FailpointError("secret detail");
    });
    const failed = await sendSigned(event);
    disarm();
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain("secret detail");
    expect((await sendSigned(event)).status).toBe(200);
    expect(await anytime()).toBe(10_000);
  });
});

describe("a webhook that is not from Stripe is refused", () => {
  test("without a signature, with a wrong signature, or with another method", async () => {
    const body = JSON.stringify(await paid());
    expect((await send(body)).status).toBe(400);
    expect((await send(body, { "stripe-signature": "t=1,v1=0" })).status).toBe(400);
    expect((await send(body, { "stripe-signature": "\u00ff" })).status).toBe(400);
    expect((await send("", { "stripe-signature": "t=1,v1=0" })).status).toBe(400);
    const asked = await send("", {}, "GET");
    expect([asked.status, asked.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await anytime()).toBe(0);
  });

  test("with a body over one mebibyte, declared or not", async () => {
    const huge = new Uint8Array(1024 * 1024 + 1);
    expect((await send(huge, { "stripe-signature": "t=1,v1=0" })).status).toBe(413);
    const stream = new Blob([huge]).stream();
    expect((await send(stream, { "stripe-signature": "t=1,v1=0" })).status).toBe(413);
  });
});
