import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ObjectStoreSettings } from "../../assets/index.ts";
import { type Config, secretPath, soundConfig } from "../../config/index.ts";
import { RestoreError, requireEmptyDatabase, restoreTables } from "../../db/index.ts";
import { verifyLedger } from "../../ledger/index.ts";
import { failed } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { commandText, countText, momentText } from "../wording.ts";
import { FOLDER_FLAG, figuresOf } from "./backup.ts";
import { backupPaths, loadManifest } from "./backup-folder.ts";
import { filesBelow } from "./copy-objects.ts";
import { restoredObjectsText, restoreObjects } from "./restore-objects.ts";

type Restoring = {
  readonly folder: string;
  readonly isSaved: boolean;
  readonly config: Pick<Config, "secret" | "dataDir">;
};

/** What ends if the secret changes. */
const SIGNED = "sessions and page cursors";

/** Checked before anything is restored: with another secret, everything signed with the backup's would silently end. */
function requireSameSecret({ folder, isSaved, config }: Restoring): void {
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
function restoreSecret({ folder, isSaved, config }: Restoring): void {
  if (!isSaved || config.secret !== null) return;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(backupPaths.secret(folder), secretPath(config.dataDir));
  // The copy has the mode of the backup's file, and backups travel.
  chmodSync(secretPath(config.dataDir), 0o600);
}

/** Null if there is nothing to report: the secret is the backup's, or one that was set. */
function missingSecretText({ isSaved, config }: Restoring): string | null {
  if (isSaved || config.secret !== null || existsSync(secretPath(config.dataDir))) return null;
  return `The backup contains no secret: set BURSAR_SECRET as it was, or ${SIGNED} end.`;
}

function secretIn(path: string): string {
  return readFileSync(path, "utf8").trim();
}

/**
 * Notes which files are there before a restore, and returns what removes those that it added. Objects in a bucket stay:
 * another gateway may use it, and nothing tells its objects from ours.
 */
async function noteFiles(input: {
  readonly folder: string;
  readonly objects: ObjectStoreSettings;
  readonly dataDir: string;
}): Promise<() => Promise<void>> {
  const to = input.objects.kind === "files" ? input.objects.folder : null;
  const before = new Set(to === null ? [] : await filesBelow(to));
  const secret = secretPath(input.dataDir);
  const hadSecret = existsSync(secret);
  return async () => {
    const copied = to === null ? [] : await filesBelow(backupPaths.objects(input.folder));
    for (const path of copied) {
      if (to !== null && !before.has(path)) await rm(join(to, path), { force: true });
    }
    if (!hadSecret) await rm(secret, { force: true });
  };
}

/** Groups of organizations that are verified in parallel at the end. */
const VERIFY_AT_ONCE = 4;

export const restoreCommand: Command = {
  path: ["restore"],
  about: "Restore a backup into an empty data folder or database, and verify its ledger.",
  notes:
    "Restores all of the database or nothing. A newer version of Bursar, or of PostgreSQL, restores older backups.",
  flags: [{ ...FOLDER_FLAG, about: "where the backup is" }],
  async run({ flags, host }) {
    const config = soundConfig(host.inspectConfig());
    const folder = resolve(flags.required("folder"));
    const manifest = loadManifest(folder);
    const objects = {
      folder,
      saved: manifest.objects,
      list: manifest.objects_sha256 ?? null,
      settings: config.objects,
    };
    const secret = { folder, isSaved: manifest.has_secret, config };
    requireSameSecret(secret);
    const removeFiles = await noteFiles({ folder, objects: config.objects, dataDir: config.dataDir });
    const db = await host.openDatabase(config);
    let mayHaveRows = false;
    try {
      await requireEmptyDatabase(db);
      // Before the rows, whose commit is the last step: until then everything can be repeated.
      await restoreObjects(objects);
      restoreSecret(secret);
      mayHaveRows = true;
      await restoreTables(db, folder, manifest.database);
      const report = await verifyLedger(db, { atOnce: VERIFY_AT_ONCE });
      const isSound = report.faults.length === 0;
      const found = isSound
        ? `The ledger is sound: ${countText(report.entries, "entry", "entries")} replayed.`
        : `The ledger has ${countText(report.faults.length, "fault")}: see ${commandText("ledger verify")}.`;
      return {
        json: { ok: isSound, ...figuresOf(manifest), entries: report.entries, faults: report.faults.length },
        text: [
          `Restored ${countText(figuresOf(manifest).rows, "row")} as they were at ${momentText(new Date(manifest.created_at))}.`,
          restoredObjectsText(objects),
          missingSecretText(secret),
          found,
        ]
          .filter((line) => line !== null)
          .join("\n"),
        exitCode: isSound ? 0 : 1,
      };
    } catch (error) {
      const isDamage = error instanceof RestoreError;
      if (isDamage || !mayHaveRows) await removeFiles();
      throw isDamage ? failed(error.message) : error;
    } finally {
      await db.close();
    }
  },
};
