import { ADMIT_LANE } from "../admission/index.ts";
import type { Config } from "../config/index.ts";
import { type Database, isOutOfConnections } from "../db/index.ts";
import { LANES_OF_CALLS } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/**
 * Of each process: those of the paid path, two for organizations that are locked out, the sweeper, the listener, and what
 * keeps PostgreSQL running.
 */
const CONNECTIONS_BESIDE_POOL = 9;

/**
 * Opens those of the paid path before there is a call. Where the server has too few, admissions are the ones to lack
 * theirs: a call that is not admitted costs nothing, and one that cannot be charged has run at its provider in vain.
 * The process serves all the same, and is ready once it has them.
 */
export async function openPaidPath({
  db,
  log,
  config,
}: {
  readonly db: Database;
  readonly log: Log;
  readonly config: Config;
}): Promise<void> {
  try {
    await db.keepOpen([...LANES_OF_CALLS, ADMIT_LANE]);
  } catch (error) {
    const lacking = isOutOfConnections(error) ? { needs_up_to: connectionsOf(config) } : {};
    log.error("paid_path_not_opened", { error: String(error), ...lacking });
  }
}

/** How many one process may open. */
export function connectionsOf({ databasePoolSize }: Config): number {
  return databasePoolSize + CONNECTIONS_BESIDE_POOL;
}
