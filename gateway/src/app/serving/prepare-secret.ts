import { type Config, ensureSecret, findSecret } from "../../config/index.ts";
import type { Database } from "../../db/index.ts";
import { hasServed } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";

/** Creates the secret if there is none. True if there was none. */
export function prepareSecret(config: Config): boolean {
  const isMissing = findSecret(config) === null;
  ensureSecret(config);
  return isMissing;
}

/** Call this after a secret was created: on a database that was served before, it replaces one that was lost. */
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
