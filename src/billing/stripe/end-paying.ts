import type { Stripe } from "stripe";
import { isOver } from "./follow-subscription.ts";
import type { StripeAccount } from "./stripe-account.ts";

/**
 * No further month is paid: it ends with the one that was, and at once where the running one was not. Answers how it
 * stands afterwards; null where Stripe knows none.
 */
export async function endPaying(stripe: StripeAccount, id: string): Promise<Stripe.Subscription | null> {
  const current = await stripe.findSubscription(id);
  // The report of its end may have been lost, and what is over cannot be ended.
  if (!current || isOver(current)) return current;
  if (current.status !== "past_due") return stripe.endWithPeriod(id);
  // Until its end Stripe would go on trying to collect the month that is owed.
  await stripe.endNow(id);
  return stripe.loadSubscription(id);
}
