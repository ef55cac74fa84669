import { afterAll, beforeAll, expect, test } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { type FakeStripe, signReport, startFakeStripe } from "../stripe/fake-stripe.ts";
import type { Event } from "../stripe/stripe-objects.ts";
import { startNode } from "./node-process.ts";

const TEST_LIMIT_MS = 60_000;

let stripe: FakeStripe;
let gateway: TestGateway;
let environment: Record<string, string>;

beforeAll(async () => {
  stripe = startFakeStripe({ now: () => Math.floor(Date.now() / 1000) });
  const { secretKey, webhookSecret, apiUrl } = stripe.settings;
  environment = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
  };
  gateway = await startTestGateway(environment);
});
afterAll(async () => {
  await gateway.close();
  stripe.stop();
});

async function report(origin: string, event: Event): Promise<number> {
  const { body, signature } = signReport(event);
  const response = await fetch(`${origin}/webhooks/stripe`, {
    method: "POST",
    headers: { "stripe-signature": signature },
    body: new Blob([body as BlobPart]),
  });
  return response.status;
}

for (const point of ["webhook_after_verify", "grant_after_commit"] as const satisfies FailPoint[]) {
  test(
    `a node that dies at ${point} grants a payment at most once, and the next report completes it`,
    async () => {
      const { id } = await gateway.found({ plan: "free", credits: 0 });
      const userId = crypto.randomUUID();
      const billingUrl = `${gateway.origin}/console/billing`;
      const buyer = { orgId: id, userId, email: "owner@example.com", billingUrl };
      const ordered = await gateway.services.payments.buyPacks(buyer, ["small"]);
      expect(ordered.outcome).toBe("ok");
      const session = ordered.outcome === "ok" ? (ordered.url.split("/").at(-1) ?? "") : "";
      const event = stripe.pay(session)[0] as Event;
      const node = await startNode(gateway.database.db.url, {
        ...environment,
        BURSAR_FAILPOINTS: `${point}=kill`,
      });
      try {
        await Promise.allSettled([report(node.origin, event), node.exited]);
      } finally {
        await node.remove();
      }
      const before = await gateway.services.ledger.account(id);
      expect(before.anytimeAvailable as number).toBe(point === "grant_after_commit" ? 10_000 : 0);
      expect(await report(gateway.origin, event)).toBe(200);
      const after = await gateway.services.ledger.account(id);
      expect(after.anytimeAvailable as number).toBe(10_000);
      const [order] = await gateway.services.payments.orders(id, 1);
      expect(order).toMatchObject({ status: "paid", payments: 1 });
    },
    TEST_LIMIT_MS,
  );
}
