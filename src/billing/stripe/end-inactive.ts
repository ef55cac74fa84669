import type { Stripe } from "stripe";
import { loadPaidByInactive, saveNextOrder } from "../subscription-store.ts";
import { endEach } from "./end-each.ts";
import { followEnd, followSubscription, isOver } from "./receive-report.ts";
import type { ReportDeps } from "./report-deps.ts";
import type { StripeAccount } from "./stripe-account.ts";

const MAX_AT_ONCE = 50;

/**
 * An inactive organization pays no further month: its subscription ends with the one that was paid, and at once where
 * the running one was not. Which have to be ended follows from how they stand, so it does not matter who made it
 * inactive, or whether Stripe was there then.
 */
export async function endInactive(deps: ReportDeps, orgId: string | null): Promise<void> {
  const { db, stripe } = deps;
  const unknown: string[] = [];
  const ending = endEach(deps, await loadPaidByInactive(db, orgId, MAX_AT_ONCE), async (id) => {
    const subscription = await endUnlessOver(stripe, id);
    if (subscription) await followSubscription(deps, subscription);
    else {
      await followEnd(deps, id);
      unknown.push(id);
    }
    await saveNextOrder(db, id, null);
  });
  await ending.finally(() => {
    // Another account, whose keys we do not have any more, may go on collecting.
    if (unknown.length > 0) deps.alert("subscription_unknown", { subscriptions: unknown.join(", ") });
  });
}

/** How it stands afterwards; null where Stripe knows none. */
async function endUnlessOver(stripe: StripeAccount, id: string): Promise<Stripe.Subscription | null> {
  const current = await stripe.findSubscription(id);
  // The report of its end may have been lost, and what is over cannot be ended.
  if (!current || isOver(current)) return current;
  if (current.status !== "past_due") return stripe.endWithPeriod(id);
  // Until its end Stripe would go on trying to collect the month that is owed.
  await stripe.endNow(id);
  return stripe.loadSubscription(id);
}
