import { credits } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";
import type { OutcomeLearned } from "./settle-surely.ts";
import { noteWriteOff } from "./write-off.ts";

/**
 * Counts calls whose clients were told that their outcome is unknown, once their release has found it out: some of them
 * had been charged, and only the answer was lost.
 */
export function createLearnedOutcomes(deps: {
  readonly metrics: Pick<CallMetrics, "ended" | "writtenOff">;
  readonly log: Log;
}): OutcomeLearned {
  return (settlement, settled) => {
    const { endpoint, status, cost } = settlement;
    // Counted when it did, before anybody knew whether that could be settled.
    if (status === "failed") return;
    const charged = credits(settled.chargedSubscription + settled.chargedAnytime);
    noteWriteOff(deps, settlement, settled);
    const wasCharged = charged > 0 || settled.writtenOff > 0;
    // Of a call that costs nothing only its record tells, though a release whose first answer was lost finds its own.
    const wasRecorded = cost === 0 ? settled.outcome === "repeat" : wasCharged;
    deps.metrics.ended(endpoint, wasRecorded ? status : "failed", charged);
  };
}
