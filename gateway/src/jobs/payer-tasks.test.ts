import { afterAll, beforeAll, expect, test } from "bun:test";
import { createNotices } from "../billing/index.ts";
import { createPaymentFixture, type PaymentFixture } from "../billing/stripe/payments-testing.ts";
import { creditDelta, credits, newId } from "../kit/index.ts";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { payerTasks } from "./maintenance.ts";
import { startSchedule } from "./schedule.ts";

const THRESHOLDS = { lowBalancePercent: 10, lowBalanceCredits: 1_000, expiryDays: 3 };

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

async function foundWithOwner(): Promise<string> {
  const orgId = await shop.found();
  const userId = newId();
  const { pool } = shop.database.db;
  await pool.query(`insert into "user" (id, name, email) values ($1, 'Ada', 'ada@example.com')`, [userId]);
  await pool.query(`insert into member ("organizationId", "userId", role) values ($1, $2, 'owner')`, [
    orgId,
    userId,
  ]);
  return orgId;
}

test("credit notices are sent although Stripe fails to end a subscription", async () => {
  const orgId = await foundWithOwner();
  const { db } = shop.database;
  const subjects: string[] = [];
  const notices = createNotices({
    db,
    log: silentLog,
    thresholds: THRESHOLDS,
    billingUrl: "http://127.0.0.1:8787/console/billing",
    async deliver({ subject }) {
      subjects.push(subject);
      return "taken";
    },
  });
  const grant = { orgId, pool: "anytime", kind: "manual", description: "test" } as const;
  await shop.ledger.grant({ ...grant, amount: credits(5_000), reference: null, expiresAt: null });
  await notices.sendDue();
  await shop.ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(-4_500), description: "spent" });
  await db.pool.query("insert into replaced_subscriptions (id, org_id) values ('sub_0', $1)", [orgId]);
  shop.stripe.failNext(Number.POSITIVE_INFINITY);
  const tasks = payerTasks({ payments: shop.payments, notices });
  const schedule = startSchedule({ db, log: silentLog, metrics: createMetrics(), tasks });
  await schedule.runOnce();
  await schedule.stop();
  shop.stripe.failNext(0);
  expect(subjects).toEqual(["Acme is running low on credits"]);
});

test("the subscription of an organization made inactive is cancelled at the end of its period", async () => {
  const orgId = await shop.found();
  const session = await shop.order(orgId, { plan: "pro" });
  await shop.deliver(...shop.stripe.pay(session));
  const paid = shop.stripe.subscriptions.get(shop.stripe.sessions.get(session)?.subscription ?? "");
  const { db } = shop.database;
  const tasks = payerTasks({ payments: shop.payments, notices: null });
  for (const task of tasks) await task.run();
  expect(paid?.cancel_at_period_end).toBe(false);
  await db.pool.query("update organization set active = false where id = $1", [orgId]);
  for (const task of tasks) await task.run();
  expect(paid).toMatchObject({ status: "active", cancel_at_period_end: true });
});
