import { loadReplaced, saveReplacedEnded } from "../subscription-store.ts";
import { endEach } from "./end-each.ts";
import { stopDraft } from "./end-paying.ts";
import type { ReportDeps } from "./report-deps.ts";

const MAX_AT_ONCE = 50;

/**
 * Ends subscriptions that were replaced by another, so that nobody pays for two plans. They are stored until Stripe has
 * confirmed the end: after a crash, the next report or the schedule continues.
 */
export async function endReplaced(
  deps: Pick<ReportDeps, "db" | "stripe" | "log" | "alert">,
  orgId: string | null,
): Promise<void> {
  const { db, stripe } = deps;
  await endEach(deps, await loadReplaced(db, orgId, MAX_AT_ONCE), async (id) => {
    await stripe.endNow(id);
    const ended = await stripe.findSubscription(id);
    if (ended) await stopDraft(deps, ended);
    await saveReplacedEnded(db, id);
  });
}
