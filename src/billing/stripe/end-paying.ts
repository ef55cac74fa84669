import type { Stripe } from "stripe";
import { isOver } from "./follow-subscription.ts";
import type { ReportDeps } from "./report-deps.ts";
import type { StripeAccount } from "./stripe-account.ts";

type EndDeps = Pick<ReportDeps, "stripe" | "alert">;

/**
 * No further month is paid: it ends with the one that was, and at once where the running one was not. Answers how it
 * stands afterwards; null where Stripe knows none.
 */
export async function endPaying(deps: EndDeps, id: string): Promise<Stripe.Subscription | null> {
  const { stripe } = deps;
  const current = await stripe.findSubscription(id);
  if (!current) return null;
  // The report of its end may have been lost, and what is over cannot be ended.
  const ended = isOver(current) ? current : await endAsPaid(stripe, current);
  await stopDraft(deps, ended);
  return ended;
}

async function endAsPaid(stripe: StripeAccount, current: Stripe.Subscription): Promise<Stripe.Subscription> {
  const isPaid = current.status !== "past_due" && (await findDraft(stripe, current)) === null;
  if (isPaid) return stripe.endWithPeriod(current.id);
  // Until its end Stripe would go on trying to collect the month that is owed.
  await stripe.endNow(current.id);
  return stripe.loadSubscription(current.id);
}

/**
 * The end of a subscription stops what Stripe has tried to collect, not what it is about to. One that runs on is left
 * alone: without being collected it would be unpaid.
 */
export async function stopDraft({ stripe, alert }: EndDeps, ended: Stripe.Subscription): Promise<void> {
  if (!isOver(ended)) return;
  const draftId = await findDraft(stripe, ended);
  if (draftId === null || (await stripe.stopCollecting(draftId))) return;
  alert("draft_not_stopped", { subscription: ended.id, invoice: draftId });
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
