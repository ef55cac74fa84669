import { isDatabaseAway } from "../db/index.ts";
import type { OnFailedBatch } from "../kit/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";

/**
 * The calls of a batch that failed are tried one by one, and mostly succeed: a statement that always fails for many would
 * only be seen as a slow gateway.
 */
export function reportFailedBatches(
  kind: "admissions" | "settlements",
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): OnFailedBatch {
  const failed = metrics
    .counter("bursar_batches_failed_total", "Batches whose calls were then tried one by one.", ["of"])
    .bind({ of: kind });
  return (error, calls) => {
    // Each of its calls says so, and there may be hundreds in a second.
    if (isDatabaseAway(error)) return;
    failed.inc();
    log.error("batch_failed", { of: kind, calls, error: String(error) });
  };
}
