import { creditsFromSql } from "../kit/index.ts";
import type { Settled } from "./settlement.ts";

/** What a settling SQL function answers, as one text: for the driver, every column of every row costs more. */
export const SETTLED = `concat(outcome, '|', charged_subscription, '|', charged_anytime, '|', written_off, '|',
    subscription_after, '|', anytime_after) as answer`;

export function settledFromAnswer({ answer }: { readonly answer: string }): Settled {
  const [outcome, ...amounts] = answer.split("|");
  return settledFrom(outcome as Settled["outcome"], amounts);
}

/** The amounts in the order in which every such function has them. */
export function settledFrom(outcome: Settled["outcome"], amounts: readonly string[]): Settled {
  const [subscription = "", anytime = "", writtenOff = "", subscriptionAfter = "", anytimeAfter = ""] =
    amounts;
  return {
    outcome,
    chargedSubscription: creditsFromSql(subscription),
    chargedAnytime: creditsFromSql(anytime),
    writtenOff: creditsFromSql(writtenOff),
    subscriptionAfter: creditsFromSql(subscriptionAfter),
    anytimeAfter: creditsFromSql(anytimeAfter),
  };
}
