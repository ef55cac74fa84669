import { resolve } from "node:path";
import { soundConfig } from "../../config/index.ts";
import { RestoreError, requireEmptyDatabase, restoreTables } from "../../db/index.ts";
import { verifyLedger } from "../../ledger/index.ts";
import { failed } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { commandText, countText, momentText } from "../wording.ts";
import { FOLDER_FLAG, figuresOf } from "./backup.ts";
import { loadManifest } from "./backup-folder.ts";
import { restoredObjectsText, restoreObjects } from "./restore-objects.ts";
import { missingSecretText, requireSameSecret, restoreSecret } from "./restore-secret.ts";
import { noteFiles } from "./restored-files.ts";

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
