import type { Credits } from "../../kit/index.ts";
import type { Settlement } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";

type NamedCall = Pick<Settlement, "requestId" | "orgId" | "model" | "target">;

/** Identifies the call in a log line that somebody has to look into. */
export function namesOf({ requestId, orgId, model, target }: NamedCall): Record<string, string | null> {
  return { request_id: requestId, org_id: orgId, model, target };
}

/** Reports to the operator the part of a call's cost that it could not pay. */
export function noteWriteOff(
  { log, metrics }: { readonly log: Log; readonly metrics: Pick<CallMetrics, "writtenOff"> },
  call: NamedCall,
  { writtenOff, outcome }: { readonly writtenOff: Credits; readonly outcome: string },
): void {
  if (writtenOff <= 0) return;
  log.error("credits_written_off", { ...namesOf(call), credits: writtenOff, outcome });
  metrics.writtenOff(writtenOff);
}
