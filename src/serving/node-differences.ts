import type { Database } from "../db/index.ts";
import { findDifferences, type OwnMarks } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/**
 * Told at the start: sessions that work on every second call, and files that are there on every second, are hard to see
 * the cause of. Only a warning, since what serves now may be what is about to be replaced.
 */
export async function warnOfDifferences(input: {
  readonly db: Database;
  readonly log: Log;
  readonly own: OwnMarks;
  readonly processId: string;
}): Promise<void> {
  const differences = await findDifferences(input.db, input.own, input.processId);
  for (const { event, found, mend } of differences) input.log.warn(event, { error: `${found}. ${mend}` });
}
