import { ADMIT_LANE } from "../../admission/index.ts";
import type { Config } from "../../config/index.ts";
import { type Database, isOutOfConnections } from "../../db/index.ts";
import { LANES_OF_CALLS } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";

/**
 * Per process: those of the paid path, two for locked-out organizations, the sweeper, the listener, and the one that
 * keeps the embedded PostgreSQL running.
 */
const CONNECTIONS_BESIDE_POOL = 9;

/**
 * Opens the connections of the paid path before the first call. If the server has too few, admissions should be the
 * ones to go without: a call that is not admitted costs nothing, but one that cannot be charged has run at its provider
 * in vain. The process serves anyway, and is ready once it has them.
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

/** The most connections that one process opens. */
export function connectionsOf({ databasePoolSize }: Config): number {
  return databasePoolSize + CONNECTIONS_BESIDE_POOL;
}
