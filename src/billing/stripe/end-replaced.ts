import type { Database } from "../../db/index.ts";
import { loadReplaced, saveReplacedEnded } from "../subscription-store.ts";
import type { StripeAccount } from "./stripe-account.ts";

const MAX_AT_ONCE = 50;

/**
 * Ends the subscriptions that another took the place of, so that nobody pays for two plans. They are remembered
 * until Stripe has taken it: after a crash the next report, or the schedule, goes on.
 */
export async function endReplaced(
  { db, stripe }: { readonly db: Database; readonly stripe: StripeAccount },
  orgId: string | null,
): Promise<void> {
  for (const id of await loadReplaced(db, orgId, MAX_AT_ONCE)) {
    await stripe.endNow(id);
    await saveReplacedEnded(db, id);
  }
}
