import { DEFAULT_PLAN, type Pack, type Plan } from "../catalog/index.ts";
import type { Database } from "../db/index.ts";
import { parseUuid } from "../kit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import type { Billing } from "./billing.ts";
import { takeTestOrder } from "./grant-order.ts";
import type { OrderRecord } from "./orders/order.ts";
import {
  type Buyer,
  createOrdering,
  type Ordered,
  type PlanChanged,
  packsItem,
  planItem,
} from "./orders/ordering.ts";
import { loadOrder, loadOrderRecords } from "./orders/store.ts";
import { createPaymentAlerts } from "./payment-alerts.ts";
import { type PlanChange, type PlanStanding, planChange } from "./plan-change.ts";
import { loadStatement, type Statement, type StatementQuery } from "./statement-store.ts";
import { type Administrator, loadAdministrators } from "./store.ts";
import { changePaidPlan } from "./stripe/change-paid-plan.ts";
import { endInactive } from "./stripe/end-inactive.ts";
import { endReplaced } from "./stripe/end-replaced.ts";
import { receiveReport } from "./stripe/receive-report.ts";
import type { Received, ReportDeps } from "./stripe/report-deps.ts";
import { openStripe, type StripeSettings } from "./stripe/stripe-account.ts";
import {
  loadPaidSubscription,
  loadPlanState,
  type PaidSubscription,
  type PlanState,
  savePlan,
} from "./subscription-store.ts";

type PaymentMode = "stripe" | "test" | "none";

type PaymentOptions = {
  readonly db: Database;
  readonly ledger: Pick<Ledger, "grant">;
  readonly billing: Pick<Billing, "startPlan">;
  readonly plans: ReadonlyMap<string, Plan>;
  readonly packs: ReadonlyMap<string, Pack>;
  /** Null: no Stripe. Then the test checkout if that is allowed, else no payments. */
  readonly stripe: StripeSettings | null;
  readonly testCheckout: boolean;
  readonly log: Log;
  readonly metrics: Metrics;
};

export type Payments = {
  readonly mode: PaymentMode;
  /** What can be bought, cheapest first. */
  readonly packs: readonly Pack[];
  readonly plans: readonly Plan[];
  /** The people who may buy for the organization. */
  buyers(orgId: string): Promise<Administrator[]>;
  /** A page of ledger entries, newest first. */
  statement(query: StatementQuery): Promise<Statement>;
  orders(orgId: string, limit: number): Promise<OrderRecord[]>;
  /** On another connection if one is given. */
  order(orgId: string, orderId: string, within?: Database): Promise<OrderRecord | undefined>;
  planState(
    orgId: string,
  ): Promise<{ state: PlanState | undefined; subscription: PaidSubscription | undefined }>;
  /** One order for all of them. */
  buyPacks(buyer: Buyer, packs: readonly string[]): Promise<Ordered>;
  /** What `changePlan` would do. */
  planChange(standing: PlanStanding, wanted: Plan): PlanChange;
  changePlan(buyer: Buyer & { readonly plan: string }, plan: string): Promise<PlanChanged>;
  /** Test checkout only. */
  payTestOrder(orgId: string, orderId: string): Promise<"paid" | "unknown">;
  /**
   * URL of Stripe's portal, where a customer sees invoices and changes the card; null if the organization is not a
   * customer.
   */
  openPortal(orgId: string, returnUrl: string): Promise<string | null>;
  /** Handles a Stripe webhook, given its raw body. */
  receive(body: Uint8Array, signature: string): Promise<Received>;
  /** Ends replaced subscriptions that Stripe could not be told to end at the time; run by the schedule. */
  endReplaced(): Promise<void>;
  /**
   * Makes sure that an inactive organization pays no further month and no open checkout. Called for one that was just
   * deactivated; the schedule passes null to cover all that are left.
   */
  endInactive(orgId: string | null): Promise<void>;
};

export function createPayments(options: PaymentOptions): Payments {
  const { db, log } = options;
  const stripe = options.stripe && openStripe(options.stripe);
  const mode: PaymentMode = stripe ? "stripe" : options.testCheckout ? "test" : "none";
  const deps: ReportDeps | null = stripe && {
    ...options,
    stripe,
    alert: createPaymentAlerts(options),
  };
  const packs = [...options.packs.values()].filter(isSold).toSorted(byPrice);
  const plans = [...options.plans.values()].filter(isOffered).toSorted(byPrice);
  const ordering = createOrdering({ db, log, mode, stripe });

  return {
    mode,
    packs,
    plans,
    buyers: (orgId) => loadAdministrators(db, orgId, MAX_BUYERS),
    statement: (query) => loadStatement(db, query),
    orders: (orgId, limit) => loadOrderRecords(db, { orgId, limit }),
    async order(orgId, orderId, within = db) {
      const id = parseUuid(orderId);
      return id === undefined ? undefined : (await loadOrderRecords(within, { orgId, id, limit: 1 }))[0];
    },
    async planState(orgId) {
      const [state, subscription] = await Promise.all([
        loadPlanState(db, orgId),
        loadPaidSubscription(db, orgId),
      ]);
      return { state, subscription };
    },
    async buyPacks(buyer, names) {
      const chosen = names.flatMap((name) => packs.find((one) => one.name === name) ?? []);
      if (chosen.length < names.length) return { outcome: "unknown" };
      return ordering.order(buyer, packsItem(chosen));
    },
    planChange: (standing, wanted) => planChange(mode, standing, wanted),
    async changePlan(buyer, name) {
      const plan = plans.find((one) => one.name === name);
      if (!plan) return { outcome: "unknown" };
      const paid = await loadPaidSubscription(db, buyer.orgId);
      const change = planChange(mode, { plan: buyer.plan, paid }, plan);
      if (change === "arranged" || change === "off") return { outcome: change };
      if (deps && paid) return changePaidPlan({ ...deps, ordering }, { buyer, paid, plan, change });
      if (change === "checkout") return ordering.order(buyer, planItem(plan));
      if (change === "same") return { outcome: change };
      await savePlan(db, buyer.orgId, plan.name);
      await options.billing.startPlan(buyer.orgId);
      return { outcome: "changed" };
    },
    async payTestOrder(orgId, orderId) {
      const id = parseUuid(orderId);
      const order = id === undefined ? undefined : await loadOrder(db, id);
      if (mode !== "test" || order?.orgId !== orgId || order.provider !== "test") return "unknown";
      await takeTestOrder(options, order);
      log.info("test_order_paid", { org_id: orgId, order_id: order.id, credits: order.credits });
      return "paid";
    },
    async openPortal(orgId, returnUrl) {
      const paid = stripe && (await loadPaidSubscription(db, orgId));
      return stripe && paid ? stripe.createPortal(paid.customerId, returnUrl) : null;
    },
    async receive(body, signature) {
      return deps ? receiveReport(deps, body, signature) : "forged";
    },
    async endReplaced() {
      if (deps) await endReplaced(deps, null);
    },
    async endInactive(orgId) {
      if (deps) await endInactive(deps, orgId);
    },
  };
}

/** Enough for a member to find somebody to ask. */
const MAX_BUYERS = 20;

type Priced = { readonly usdCents: number };

const byPrice = (a: Priced, b: Priced) => a.usdCents - b.usdCents;
/** Free items cannot be bought: only an operator gives those away. */
const isSold = ({ usdCents }: Priced) => usdCents > 0;
const isOffered = (plan: Plan) =>
  plan.name === DEFAULT_PLAN || (plan.usdCents > 0 && plan.monthlyCredits > 0);
