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
  const draftId = await findDraft(stripe, current);
  if (current.status !== "past_due" && draftId === null) return stripe.endWithPeriod(id);
  // The end of a subscription stops what Stripe has tried to collect, not what it is about to.
  if (draftId !== null) await stripe.stopCollecting(draftId);
  // Until its end Stripe would go on trying to collect the month that is owed.
  await stripe.endNow(id);
  return stripe.loadSubscription(id);
}

/** The invoice of a month that has begun, in the hour before it is collected. */
async function findDraft(stripe: StripeAccount, subscription: Stripe.Subscription): Promise<string | null> {
  const { latest_invoice } = subscription;
  if (typeof latest_invoice !== "string") return null;
  const invoice = await stripe.loadInvoice(latest_invoice);
  return invoice.status === "draft" && invoice.billing_reason === "subscription_cycle"
    ? latest_invoice
    : null;
}
