import type { Config } from "../config/index.ts";
import { hasCluster } from "../db/index.ts";
import { failed } from "./cli-error.ts";

/**
 * A command run in the wrong folder, or without the service's settings, is meant for a database elsewhere. A new empty
 * one would be backed up, or found to be sound, and nobody would notice that it was the wrong one.
 */
export function requireOwnDatabase({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): void {
  if (databaseUrl !== null || hasCluster(dataDir)) return;
  throw failed(
    `There is no database in ${dataDir}: set BURSAR_DATA_DIR or DATABASE_URL to the gateway's value.`,
  );
}
