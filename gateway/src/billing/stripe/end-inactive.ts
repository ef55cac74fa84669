import { loadOpenByInactive, saveExpired } from "../orders/store.ts";
import { loadPaidByInactive, saveNextOrder } from "../subscription-store.ts";
import { endEach } from "./end-each.ts";
import { endPaying } from "./end-paying.ts";
import { followEnd, followSubscription } from "./follow-subscription.ts";
import type { ReportDeps } from "./report-deps.ts";

const MAX_AT_ONCE = 50;

/**
 * Stops all payments of inactive organizations. What to end is derived from the current state, so it does not matter
 * who deactivated an organization or whether Stripe was reachable then.
 */
export async function endInactive(deps: ReportDeps, orgId: string | null): Promise<void> {
  await endSubscriptions(deps, orgId).finally(() => closeCheckouts(deps, orgId));
}

/** A subscription ends with the paid month, or at once if the current month was not paid. */
async function endSubscriptions(deps: ReportDeps, orgId: string | null): Promise<void> {
  const { db } = deps;
  const unknown: string[] = [];
  const ending = endEach(deps, await loadPaidByInactive(db, orgId, MAX_AT_ONCE), async (id) => {
    const subscription = await endPaying(deps, id);
    if (subscription) await followSubscription(deps, subscription);
    else {
      await followEnd(deps, id);
      unknown.push(id);
    }
    await saveNextOrder(db, id, null);
  });
  await ending.finally(() => {
    // It may belong to another Stripe account whose keys we no longer have, which may go on collecting.
    if (unknown.length > 0) deps.alert("subscription_unknown", { subscriptions: unknown.join(", ") });
  });
}

/** Closes checkouts that were begun. A payment that came first will be reported, and stands. */
async function closeCheckouts({ db, stripe }: ReportDeps, orgId: string | null): Promise<void> {
  for (const order of await loadOpenByInactive(db, orgId, MAX_AT_ONCE)) {
    if ((await stripe.expireCheckout(order.checkoutId)) === "expired") await saveExpired(db, order.id);
  }
}
