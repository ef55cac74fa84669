import type { Database } from "../db/index.ts";
import { credits } from "../kit/index.ts";
import { createLedger, type Ledger } from "../ledger/index.ts";
import { createMetrics, type Log, type Metrics, silentLog } from "../telemetry/index.ts";
import { createBilling, createPayments, type Payments, type StripeSettings } from "./index.ts";

const limits = { requestsPerMinute: 60, inFlight: 5, videoJobs: 1 };

export const TEST_PLANS = new Map(
  [
    { name: "free", usdCents: 0, monthlyCredits: credits(0), ...limits },
    { name: "pro", usdCents: 4_900, monthlyCredits: credits(50_000), ...limits },
    { name: "enterprise", usdCents: 49_900, monthlyCredits: credits(600_000), ...limits },
  ].map((plan) => [plan.name, plan]),
);

export const TEST_PACKS = new Map(
  [
    { name: "small", usdCents: 1_000, credits: credits(10_000) },
    { name: "medium", usdCents: 9_500, credits: credits(100_000) },
    { name: "large", usdCents: 90_000, credits: credits(1_000_000) },
  ].map((pack) => [pack.name, pack]),
);

/** Payments on a test's database, with the plans and packs above. */
export function createTestPayments(options: {
  readonly db: Database;
  readonly stripe?: StripeSettings | null;
  readonly testCheckout?: boolean;
  readonly ledger?: Ledger;
  readonly log?: Log;
  readonly metrics?: Metrics;
}): Payments {
  const { db, log = silentLog } = options;
  const ledger = options.ledger ?? createLedger(db);
  return createPayments({
    db,
    ledger,
    log,
    billing: createBilling({ db, ledger, plans: TEST_PLANS, log }),
    plans: TEST_PLANS,
    packs: TEST_PACKS,
    stripe: options.stripe ?? null,
    testCheckout: options.testCheckout ?? false,
    metrics: options.metrics ?? createMetrics(),
  });
}
