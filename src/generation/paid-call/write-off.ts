import type { Settled, Settlement } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";

/** Tells the operator what a call cost beyond what it could pay. */
export function noteWriteOff(
  { log, metrics }: { readonly log: Log; readonly metrics: Pick<CallMetrics, "writtenOff"> },
  { requestId }: Settlement,
  { writtenOff, outcome }: Settled,
): void {
  if (writtenOff <= 0) return;
  log.error("credits_written_off", { request_id: requestId, credits: writtenOff, outcome });
  metrics.writtenOff(writtenOff);
}
