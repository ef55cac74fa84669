import type { Config } from "../config/index.ts";
import { hasCluster } from "../db/index.ts";
import { failed } from "./cli-error.ts";

/**
 * Whoever runs a command in another folder, or without the service's settings, means a database that is elsewhere. A new
 * empty one would be copied, or found to be sound, and nobody would learn that it was the wrong one.
 */
export function requireOwnDatabase({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): void {
  if (databaseUrl !== null || hasCluster(dataDir)) return;
  throw failed(
    `There is no database in ${dataDir}: set BURSAR_DATA_DIR or DATABASE_URL to the gateway's value.`,
  );
}
