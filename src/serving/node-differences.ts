import type { Database } from "../db/index.ts";
import { findDifferences, type NodeMarks } from "../ledger/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";

/**
 * Reported at the start and from then on: sessions or files that work, or prices that hold, only on every other call
 * are hard to diagnose. Only a warning, since the nodes that serve now may be about to be replaced.
 */
export function createNodeComparison(input: {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly own: NodeMarks;
  readonly processId: string;
}): { compare(): Promise<void> } {
  const gauge = input.metrics.gauge(
    "bursar_nodes_differ",
    "Settings in which this node differs from another that serves.",
  );
  let told: readonly string[] = [];
  return {
    async compare() {
      const differences = await findDifferences(input.db, input.own, input.processId);
      gauge.set(differences.length);
      for (const { event, found, mend } of differences) {
        if (!told.includes(found)) input.log.warn(event, { error: `${found}. ${mend}` });
      }
      told = differences.map(({ found }) => found);
    },
  };
}
