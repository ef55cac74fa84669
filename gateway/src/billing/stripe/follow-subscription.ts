import type { Stripe } from "stripe";
import { DEFAULT_PLAN } from "../../catalog/index.ts";
import { saveEndedSubscription, saveSubscriptionState } from "../subscription-store.ts";
import type { Received, ReportDeps } from "./report-deps.ts";

/** States in which nothing more will be charged. */
const OVER = new Set(["canceled", "unpaid", "incomplete_expired"]);

export function isOver(subscription: Stripe.Subscription): boolean {
  return OVER.has(subscription.status);
}

/**
 * Records what the subscription's state means for the organization. `payUrl` is where a missed invoice can still be
 * paid.
 */
export async function followSubscription(
  deps: Pick<ReportDeps, "db" | "log">,
  subscription: Stripe.Subscription,
  payUrl: string | null = null,
): Promise<Received> {
  if (isOver(subscription)) return followEnd(deps, subscription.id);
  const isKnown = await saveSubscriptionState(deps.db, {
    id: subscription.id,
    state: subscription.status === "past_due" ? "past_due" : "active",
    endsAt: endOf(subscription),
    payUrl,
  });
  return isKnown ? "done" : "ignored";
}

export async function followEnd(
  deps: Pick<ReportDeps, "db" | "log">,
  subscriptionId: string,
): Promise<Received> {
  const orgId = await saveEndedSubscription(deps.db, subscriptionId, DEFAULT_PLAN);
  if (orgId !== null) deps.log.info("paid_subscription_ended", { org_id: orgId });
  return orgId === null ? "ignored" : "done";
}

function endOf(subscription: Stripe.Subscription): Date | null {
  const withPeriod = subscription.cancel_at_period_end && subscription.items.data[0]?.current_period_end;
  const seconds = subscription.cancel_at ?? (withPeriod || null);
  return seconds === null ? null : new Date(seconds * 1_000);
}
