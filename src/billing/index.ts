/**
 * Plans and their monthly credits: when a period begins, and that it begins once.
 * Owns subscriptions (since when an organization has its plan, when it is due) and the calendar of
 * periods. Refuses to know models, calls and wires; credits are granted by the ledger alone.
 * Invariants: at most one grant per organization and period, however many nodes ask; months are counted
 * from the plan's first day, so they never drift; a month that nobody was there for is not made up for;
 * one organization's failure delays no other.
 */
export { type Billing, type BillingOptions, createBilling } from "./billing.ts";
export type { PlanPeriod, RenewalRun } from "./renewals.ts";
