/**
 * Plans and their monthly credits, and what people pay for them: when a period begins, and that it begins once;
 * what was ordered, and that it is granted once, when it was paid.
 * Owns subscriptions (since when an organization has its plan, when it is due), the calendar of periods, orders,
 * payments, refunds and disputes, the way to Stripe, the test checkout, and the letters about credits. Refuses to
 * know models, calls, pages (but where the one for paying is) and how a letter travels; credits are granted by the
 * ledger alone.
 *
 * Invariants:
 * - At most one grant per organization and period, however many nodes ask; months are counted from the plan's
 *   first day, so they never drift, and each begins at the moment the one before ends; a month that nobody was
 *   there for is not made up for; one organization's failure delays no other.
 * - An order stands before anybody is sent away to pay. Only a signed report of Stripe turns it into credits (or
 *   the marked test checkout, where that is allowed), once, however often and in whatever order it is reported; a
 *   payment that differs from its order in amount, currency or organization grants nothing and raises an alert.
 * - What was granted less what was taken back follows from payments, refunds and disputes alone.
 */
export { type Billing, createBilling } from "./billing.ts";
export { billingUrl, billingUrlFor } from "./billing-url.ts";
export { createNotices, type Notices } from "./notices/notices.ts";
export type { OrderRecord } from "./orders/order.ts";
export type { PlanChanged } from "./orders/ordering.ts";
export { createPayments, type Payments } from "./payments.ts";
export type { PlanPeriod } from "./renewals.ts";
export type { Received } from "./stripe/report-deps.ts";
export type { StripeSettings } from "./stripe/stripe-account.ts";
export type { PaidSubscription } from "./subscription-store.ts";
