import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/index.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

/** How often a request is tried before it counts as failed. */
const TRIES = 3;

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

async function running(): Promise<string[]> {
  const { rows } = await shop.database.db.pool.query(
    "select id from replaced_subscriptions where not is_ended order by id",
  );
  return rows.map(({ id }) => id);
}

test("a replaced subscription that Stripe fails to end does not keep another one running", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  await shop.deliver(...shop.stripe.pay(session));
  const old = shop.stripe.sessions.get(session)?.subscription ?? "";
  await shop.advance(DAY_MS);
  await shop.database.db.pool.query(
    "insert into replaced_subscriptions (id, org_id) values ('sub_0', $1), ($2, $1)",
    [orgId, old],
  );
  shop.stripe.failNext(TRIES);
  await expect(shop.payments.endReplaced()).rejects.toThrow();
  expect(shop.stripe.subscriptions.get(old)?.status).toBe("canceled");
  expect(await running()).toEqual(["sub_0"]);
  await shop.payments.endReplaced();
  expect(await running()).toEqual([]);
});
