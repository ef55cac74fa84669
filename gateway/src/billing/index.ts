/**
 * Plans with their monthly credits, and payments for plans and packs.
 * Owns subscriptions (since when an organization has its plan, when it is due), the calendar of periods, orders,
 * payments, refunds and disputes, the connection to Stripe, the test checkout, and when a balance counts as low.
 * Refuses to know models, calls, pages (except where the one for paying is) and who is told of it. Only the ledger
 * grants credits.
 *
 * Invariants:
 * - There is at most one grant per organization and period, however many nodes ask.
 * - Months are counted from the plan's first day, so they never drift, and each begins at the moment the previous one
 *   ends. A month that passed unopened is not made up for. One organization's failure delays no other.
 * - An order is written before anyone is sent away to pay. Only a signed report from Stripe turns it into credits (or
 *   the marked test checkout, where that is allowed): once, however often and in whatever order it is reported.
 * - A payment that differs from its order in amount, currency or organization grants nothing and raises an alert.
 * - Credits granted minus credits taken back follow from payments, refunds and disputes alone.
 */
export { type Billing, createBilling } from "./billing.ts";
export { billingUrl, billingUrlFor, checkoutUrl } from "./billing-url.ts";
export type { OrderRecord } from "./orders/order.ts";
export type { PlanChanged } from "./orders/ordering.ts";
export { createPayments, type Payments } from "./payments.ts";
export { type NoticeThresholds, saveBalanceEvents } from "./store.ts";
export type { Received } from "./stripe/report-deps.ts";
export type { StripeSettings } from "./stripe/stripe-account.ts";
export type { PaidSubscription } from "./subscription-store.ts";
