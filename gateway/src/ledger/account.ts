import { type Credits, creditsFromSql } from "../kit/index.ts";

export type Pool = "subscription" | "anytime";

/** An organization's balance. The available amounts exclude credits that running calls hold. */
export type Account = {
  readonly orgId: string;
  readonly subscriptionAvailable: Credits;
  readonly subscriptionHeld: Credits;
  readonly anytimeAvailable: Credits;
  readonly anytimeHeld: Credits;
  /**
   * Credits that could not be taken back when their payment was reversed, because they were spent, expired or held.
   * Paid off first from anytime credits that come in, and from credits that a call gives back.
   */
  readonly debt: Credits;
  readonly period: { readonly startsAt: Date; readonly endsAt: Date } | null;
};

/** The columns of `accounts` as the driver returns them: bigint as text. */
export type AccountRow = {
  org_id: string;
  subscription_available: string;
  subscription_held: string;
  anytime_available: string;
  anytime_held: string;
  debt: string;
  period_start: Date | null;
  period_end: Date | null;
};

export function accountFromRow(row: AccountRow): Account {
  return {
    orgId: row.org_id,
    subscriptionAvailable: creditsFromSql(row.subscription_available),
    subscriptionHeld: creditsFromSql(row.subscription_held),
    anytimeAvailable: creditsFromSql(row.anytime_available),
    anytimeHeld: creditsFromSql(row.anytime_held),
    debt: creditsFromSql(row.debt),
    period:
      row.period_start && row.period_end ? { startsAt: row.period_start, endsAt: row.period_end } : null,
  };
}
