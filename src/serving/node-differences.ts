import type { Database } from "../db/index.ts";
import { findDifferences, type NodeMarks } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/**
 * Told at the start: sessions that work on every second call, and files that are there on every second, are hard to see
 * the cause of. Only a warning, since what serves now may be what is about to be replaced.
 */
export async function warnOfDifferences(input: {
  readonly db: Database;
  readonly log: Log;
  readonly own: NodeMarks;
  readonly processId: string;
}): Promise<void> {
  const { log, own } = input;
  const { secretHosts, objectsPlaces } = await findDifferences(input.db, own, input.processId);
  if (secretHosts.length > 0) {
    log.warn("secret_differs", {
      hosts: secretHosts.join(", "),
      error:
        "A node that serves on the same database has another BURSAR_SECRET: sessions and cursors of one are none to the other.",
    });
  }
  if (objectsPlaces.length > 0) {
    log.warn("objects_differ", {
      own: own.objectsPlace,
      others: objectsPlaces.join(", "),
      error:
        "A node that serves on the same database keeps files elsewhere: what one makes the other does not find. Set BURSAR_S3_BUCKET on all.",
    });
  }
}
