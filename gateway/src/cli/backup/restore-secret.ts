import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { type Config, secretPath } from "../../config/index.ts";
import { failed } from "../cli-error.ts";
import { backupPaths } from "./backup-folder.ts";

type Restoring = {
  readonly folder: string;
  readonly isSaved: boolean;
  readonly config: Pick<Config, "secret" | "dataDir">;
};

/** What ends if the secret changes. */
const SIGNED = "sessions and page cursors";

/** Checked before anything is restored: with another secret, everything signed with the backup's would silently end. */
export function requireSameSecret({ folder, isSaved, config }: Restoring): void {
  if (!isSaved) return;
  const path = backupPaths.secret(folder);
  const saved = secretIn(path);
  if (config.secret !== null) {
    if (config.secret === saved) return;
    throw failed(
      `BURSAR_SECRET is not the backup's secret, so ${SIGNED} would end: set it to what ${path} holds. It can be changed once everything is restored.`,
    );
  }
  const own = secretPath(config.dataDir);
  if (!existsSync(own) || secretIn(own) === saved) return;
  throw failed(`${own} is not the backup's secret: restore into an empty data folder.`);
}

/** Copies the secret into the data folder, unless the environment sets it. */
export function restoreSecret({ folder, isSaved, config }: Restoring): void {
  if (!isSaved || config.secret !== null) return;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(backupPaths.secret(folder), secretPath(config.dataDir));
  // The copy has the mode of the backup's file, and backups travel.
  chmodSync(secretPath(config.dataDir), 0o600);
}

/** Null if there is nothing to report: the secret is the backup's, or one that was set. */
export function missingSecretText({ isSaved, config }: Restoring): string | null {
  if (isSaved || config.secret !== null || existsSync(secretPath(config.dataDir))) return null;
  return `The backup contains no secret: set BURSAR_SECRET as it was, or ${SIGNED} end.`;
}

function secretIn(path: string): string {
  return readFileSync(path, "utf8").trim();
}
