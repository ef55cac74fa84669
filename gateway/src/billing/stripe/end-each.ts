import type { Log } from "../../telemetry/index.ts";
import { describe } from "../orders/ordering.ts";

/** A failure does not keep the others from being ended. Throws at the end, so that the caller retries. */
export async function endEach(
  { log }: { readonly log: Log },
  subscriptionIds: readonly string[],
  end: (subscriptionId: string) => Promise<void>,
): Promise<void> {
  let failed = 0;
  for (const id of subscriptionIds) {
    try {
      await end(id);
    } catch (error) {
      failed++;
      log.error("subscription_not_ended", { subscription: id, error: describe(error) });
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${subscriptionIds.length} subscriptions could not be ended`);
}
