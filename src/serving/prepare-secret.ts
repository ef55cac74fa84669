import { type Config, ensureSecret, findSecret } from "../config/index.ts";
import type { Database } from "../db/index.ts";
import { hasServed } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";

/** Makes the secret where there is none. True: there was none. */
export function prepareSecret(config: Config): boolean {
  const isMissing = findSecret(config) === null;
  ensureSecret(config);
  return isMissing;
}

/** After a secret was made: beside a database that was served it takes the place of one that was lost. */
export async function warnOfLostSecret(input: {
  readonly config: Pick<Config, "dataDir">;
  readonly db: Database;
  readonly log: Log;
}): Promise<void> {
  if (!(await hasServed(input.db))) return;
  input.log.warn("secret_made", {
    error: `A gateway has served on this database, but its secret was not in ${input.config.dataDir}: a new one was made there, and sessions and page cursors have ended.`,
  });
}
