import { loadPaidByInactive, saveNextOrder } from "../subscription-store.ts";
import { endEach } from "./end-each.ts";
import { followSubscription, isOver } from "./receive-report.ts";
import type { ReportDeps } from "./report-deps.ts";

const MAX_AT_ONCE = 50;

/**
 * An inactive organization pays no further month: its subscription ends with the one that was paid. Which have to be
 * ended follows from how they stand, so it does not matter who made it inactive, or whether Stripe was there then.
 */
export async function endInactive(deps: ReportDeps, orgId: string | null): Promise<void> {
  const { db, stripe } = deps;
  await endEach(deps, await loadPaidByInactive(db, orgId, MAX_AT_ONCE), async (id) => {
    const current = await stripe.loadSubscription(id);
    // The report of its end may have been lost, and what is over cannot be ended.
    await followSubscription(deps, isOver(current) ? current : await stripe.endWithPeriod(id));
    await saveNextOrder(db, id, null);
  });
}
