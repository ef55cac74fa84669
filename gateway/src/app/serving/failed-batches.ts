import { isDatabaseAway } from "../../db/index.ts";
import type { OnFailedBatch } from "../../kit/index.ts";
import type { Log, Metrics } from "../../telemetry/index.ts";

/**
 * The calls of a failed batch are retried one by one, and mostly succeed: without this report, a statement that always
 * fails in batches would only show as a slow gateway.
 */
export function reportFailedBatches(
  kind: "admissions" | "settlements",
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): OnFailedBatch {
  const failed = metrics
    .counter(
      "bursar_batches_failed_total",
      "Batches that failed, so that their calls were tried one by one.",
      ["of"],
    )
    .bind({ of: kind });
  return (error, calls) => {
    // Each of the calls reports this itself, and there may be hundreds per second.
    if (isDatabaseAway(error)) return;
    failed.inc();
    log.error("batch_failed", { of: kind, calls, error: String(error) });
  };
}
