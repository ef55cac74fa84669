import type { Stripe } from "stripe";
import { isOver } from "./follow-subscription.ts";
import type { ReportDeps } from "./report-deps.ts";
import type { StripeAccount } from "./stripe-account.ts";

type EndDeps = Pick<ReportDeps, "stripe" | "alert">;

/**
 * Makes sure that no further month is paid: the subscription ends with the paid month, or at once if the current month
 * was not paid. Returns its state afterwards; null if Stripe does not know it.
 */
export async function endPaying(deps: EndDeps, id: string): Promise<Stripe.Subscription | null> {
  const { stripe } = deps;
  const current = await stripe.findSubscription(id);
  if (!current) return null;
  // The report of its end may have been lost, and one that is over cannot be ended again.
  const ended = isOver(current) ? current : await endAsPaid(stripe, current);
  await stopDraft(deps, ended);
  return ended;
}

async function endAsPaid(stripe: StripeAccount, current: Stripe.Subscription): Promise<Stripe.Subscription> {
  const isPaid = current.status !== "past_due" && (await findDraft(stripe, current)) === null;
  if (isPaid) return stripe.endWithPeriod(current.id);
  // Until the subscription ends, Stripe would keep trying to collect the month that is owed.
  await stripe.endNow(current.id);
  return stripe.loadSubscription(current.id);
}

/**
 * Ending a subscription stops invoices that Stripe has already tried to collect, but not a draft that it is about to.
 * The draft of a subscription that goes on is left alone, or its month would remain unpaid.
 */
export async function stopDraft({ stripe, alert }: EndDeps, ended: Stripe.Subscription): Promise<void> {
  if (!isOver(ended)) return;
  const draftId = await findDraft(stripe, ended);
  if (draftId === null || (await stripe.stopCollecting(draftId))) return;
  alert("draft_not_stopped", { subscription: ended.id, invoice: draftId });
}

/** The invoice of a month that has begun, during the hour before it is collected. */
async function findDraft(stripe: StripeAccount, subscription: Stripe.Subscription): Promise<string | null> {
  const { latest_invoice } = subscription;
  if (typeof latest_invoice !== "string") return null;
  const invoice = await stripe.loadInvoice(latest_invoice);
  return invoice.status === "draft" && invoice.billing_reason === "subscription_cycle"
    ? latest_invoice
    : null;
}
