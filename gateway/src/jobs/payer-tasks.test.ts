import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPaymentFixture, type PaymentFixture } from "../billing/stripe/payments-testing.ts";
import { creditDelta, credits } from "../kit/index.ts";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { payerTasks } from "./maintenance.ts";
import { startSchedule } from "./schedule.ts";

const THRESHOLDS = { lowBalancePercent: 10, lowBalanceCredits: 1_000, expiryDays: 3 };

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

test("the events of balances are written although Stripe fails to end a subscription", async () => {
  const orgId = await shop.found();
  const { db } = shop.database;
  const tasks = payerTasks({ db, payments: shop.payments, thresholds: THRESHOLDS });
  const schedule = startSchedule({ db, log: silentLog, metrics: createMetrics(), tasks });
  const grant = { orgId, pool: "anytime", kind: "manual", description: "test" } as const;
  await shop.ledger.grant({ ...grant, amount: credits(5_000), reference: null, expiresAt: null });
  await schedule.runOnce();
  await shop.ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(-4_500), description: "spent" });
  await db.pool.query("insert into replaced_subscriptions (id, org_id) values ('sub_0', $1)", [orgId]);
  shop.stripe.failNext(Number.POSITIVE_INFINITY);
  await schedule.runOnce();
  await schedule.stop();
  shop.stripe.failNext(0);
  const { rows } = await db.pool.query("select type, data from events where org_id = $1", [orgId]);
  expect(rows).toEqual([{ type: "balance.low", data: { available_credits: 500 } }]);
});

test("the subscription of an organization made inactive is cancelled at the end of its period", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  await shop.deliver(...shop.stripe.pay(session));
  const paid = shop.stripe.subscriptions.get(shop.stripe.sessions.get(session)?.subscription ?? "");
  const { db } = shop.database;
  const tasks = payerTasks({ db, payments: shop.payments, thresholds: THRESHOLDS });
  for (const task of tasks) await task.run();
  expect(paid?.cancel_at_period_end).toBe(false);
  await db.pool.query("update organization set active = false where id = $1", [orgId]);
  for (const task of tasks) await task.run();
  expect(paid).toMatchObject({ status: "active", cancel_at_period_end: true });
});
