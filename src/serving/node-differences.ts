import type { Database } from "../db/index.ts";
import { findDifferences, type NodeMarks } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/**
 * Reported at the start: sessions or files that work only on every other call are hard to diagnose. Only a warning,
 * since the nodes that serve now may be about to be replaced.
 */
export async function warnOfDifferences(input: {
  readonly db: Database;
  readonly log: Log;
  readonly own: NodeMarks;
  readonly processId: string;
}): Promise<void> {
  const differences = await findDifferences(input.db, input.own, input.processId);
  for (const { event, found, mend } of differences) input.log.warn(event, { error: `${found}. ${mend}` });
}
