import { creditsFromSql } from "../kit/index.ts";
import type { Settled } from "./settlement.ts";

/** The row that every settling SQL function returns. */
export type SettledRow = {
  outcome: Settled["outcome"];
  charged_subscription: string;
  charged_anytime: string;
  written_off: string;
  subscription_after: string;
  anytime_after: string;
};

export function settledFromRow(row: SettledRow): Settled {
  return {
    outcome: row.outcome,
    chargedSubscription: creditsFromSql(row.charged_subscription),
    chargedAnytime: creditsFromSql(row.charged_anytime),
    writtenOff: creditsFromSql(row.written_off),
    subscriptionAfter: creditsFromSql(row.subscription_after),
    anytimeAfter: creditsFromSql(row.anytime_after),
  };
}
