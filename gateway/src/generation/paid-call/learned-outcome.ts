import { credits } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";
import type { OutcomeLearned } from "./settle-surely.ts";
import { noteWriteOff } from "./write-off.ts";

/**
 * Counts calls whose clients got "outcome unknown", once the release has revealed the outcome: some of them had been
 * charged, and only the reply of the database was lost.
 */
export function createLearnedOutcomes(deps: {
  readonly metrics: Pick<CallMetrics, "ended" | "writtenOff">;
  readonly log: Log;
}): OutcomeLearned {
  return (settlement, settled) => {
    const { endpoint, status, cost } = settlement;
    // Already counted when it failed, before its settlement was tried.
    if (status === "failed" && cost === 0) return;
    const charged = credits(settled.chargedSubscription + settled.chargedAnytime);
    noteWriteOff(deps, settlement, settled);
    const wasCharged = charged > 0 || settled.writtenOff > 0;
    // A free call leaves no charge, so only an existing record shows that it was settled; but a retried release may
    // also find its own record.
    const wasRecorded = cost === 0 ? settled.outcome === "repeat" : wasCharged;
    deps.metrics.ended(endpoint, wasRecorded ? status : "failed", charged);
  };
}
