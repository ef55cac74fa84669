import { expect } from "bun:test";
import {
  type FakeStripe,
  type SignedReport,
  signReport,
  startFakeStripe,
} from "../../../../test/stripe/fake-stripe.ts";
import type { Event } from "../../../../test/stripe/stripe-objects.ts";
import { createTestDatabase, type TestDatabase } from "../../db/testing.ts";
import { assert, newId } from "../../kit/index.ts";
import { type Account, createLedger, type Ledger, verifyLedger } from "../../ledger/index.ts";
import { createMetrics, type Metrics } from "../../telemetry/index.ts";
import type { Payments, Received } from "../index.ts";
import { createTestPayments } from "../testing.ts";

/** Payments against a fake Stripe, on the test's own database; both follow its clock. */
export type PaymentFixture = {
  readonly database: TestDatabase;
  readonly stripe: FakeStripe;
  readonly payments: Payments;
  readonly ledger: Ledger;
  readonly metrics: Metrics;
  found(plan?: string): Promise<string>;
  /** Starts a purchase and returns the id of the Stripe session. */
  order(orgId: string, what: { pack: string } | { plan: string }): Promise<string>;
  planOf(orgId: string): Promise<string>;
  /** Takes the whole path: signed, verified, acted upon. */
  deliver(...events: Event[]): Promise<Received[]>;
  receive(report: SignedReport): Promise<Received>;
  account(orgId: string): Promise<Account>;
  granted(orgId: string): Promise<number>;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
};

export async function createPaymentFixture(): Promise<PaymentFixture> {
  const database = await createTestDatabase();
  const { db } = database;
  const metrics = createMetrics();
  const ledger = createLedger(db);
  let offsetMs = 0;
  const stripe = startFakeStripe({ now: () => Math.floor((Date.now() + offsetMs) / 1000) });
  const payments = createTestPayments({
    db,
    ledger,
    metrics,
    stripe: stripe.settings,
  });
  const organizations: string[] = [];

  async function planOf(orgId: string): Promise<string> {
    const { rows } = await db.pool.query("select plan from organization where id = $1", [orgId]);
    return rows[0]?.plan;
  }

  async function receive(report: SignedReport): Promise<Received> {
    return payments.receive(report.body, report.signature);
  }

  return {
    database,
    stripe,
    payments,
    ledger,
    metrics,
    planOf,
    receive,
    async found(plan = "free") {
      const id = newId();
      organizations.push(id);
      await db.pool.query("insert into organization (id, name, slug, plan) values ($1, 'Acme', $2, $3)", [
        id,
        id,
        plan,
      ]);
      return id;
    },
    async order(orgId, what) {
      const before = new Set(stripe.sessions.keys());
      const buyer = buyerOf(orgId);
      const ordered =
        "pack" in what
          ? await payments.buyPacks(buyer, [what.pack])
          : await payments.changePlan({ ...buyer, plan: await planOf(orgId) }, what.plan);
      assert(ordered.outcome === "ok", `ordering: ${ordered.outcome}`);
      const session = [...stripe.sessions.keys()].find((id) => !before.has(id));
      assert(session !== undefined, "a session at Stripe");
      return session;
    },
    async deliver(...events) {
      const received: Received[] = [];
      for (const event of events) received.push(await receive(signReport(event)));
      return received;
    },
    account: (orgId) => ledger.account(orgId),
    async granted(orgId) {
      const { rows } = await db.pool.query(
        "select coalesce(sum(amount), 0) as sum from grants where org_id = $1",
        [orgId],
      );
      return Number(rows[0]?.sum);
    },
    async advance(ms) {
      offsetMs += ms;
      await database.advanceClock(ms);
    },
    async close() {
      for (const orgId of organizations) expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
      stripe.stop();
      await database.drop();
    },
  };
}

export function buyerOf(orgId: string) {
  return {
    orgId,
    userId: newId(),
    email: "owner@example.com",
    billingUrl: "http://127.0.0.1:8787/console/billing",
  };
}
