import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, ConfigError } from "../../config.ts";
import { migrate, RestoreError, requireEmptyDatabase, restoreTables } from "../../db/index.ts";
import { verifyLedger } from "../../ledger/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { failed } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { countText, momentText } from "../wording.ts";
import { FOLDER_FLAG, figuresOf } from "./backup.ts";
import { type BackupManifest, backupPaths, loadManifest } from "./backup-folder.ts";
import { copyObjects } from "./copy-objects.ts";

/** Groups of organizations that are verified together at the end. */
const VERIFY_AT_ONCE = 4;

export const restoreCommand: Command = {
  path: ["restore"],
  about: "Put a backup into an empty data folder or database, and verify its ledger.",
  notes:
    "All of the database or nothing of it. A newer version of Bursar, or of PostgreSQL, restores older backups.",
  flags: [FOLDER_FLAG],
  async run({ flags, host }) {
    const { config, problems } = host.inspectConfig();
    if (problems.length > 0) throw new ConfigError(problems);
    const folder = resolve(flags.required("folder"));
    const manifest = loadManifest(folder);
    requireOwnSecret(config, folder, manifest);
    const db = await host.openDatabase(config);
    try {
      await requireEmptyDatabase(db);
      // Before the rows, whose commit is the end: until then everything can be repeated.
      await restoreFiles(config, folder, manifest);
      await restoreTables(db, folder, manifest.database);
      await migrate(db, silentLog);
      const report = await verifyLedger(db, { atOnce: VERIFY_AT_ONCE });
      const isSound = report.faults.length === 0;
      const found = isSound
        ? `The ledger is sound: ${countText(report.entries, "entry", "entries")} replayed.`
        : `The ledger has ${countText(report.faults.length, "fault")}: see \`bursar ledger verify\`.`;
      return {
        json: { ok: isSound, ...figuresOf(manifest), entries: report.entries, faults: report.faults.length },
        text: `Restored ${countText(figuresOf(manifest).rows, "row")} as they were at ${momentText(new Date(manifest.created_at))}.\n${found}`,
        exitCode: isSound ? 0 : 1,
      };
    } catch (error) {
      throw error instanceof RestoreError ? failed(error.message) : error;
    } finally {
      await db.close();
    }
  },
};

/** Sessions, links and cursors are signed with it: with another one they would all end without a word. */
function requireOwnSecret(config: Config, folder: string, manifest: BackupManifest): void {
  const path = join(config.dataDir, "secret");
  if (!manifest.has_secret || !existsSync(path)) return;
  const saved = readFileSync(backupPaths.secret(folder));
  if (readFileSync(path).equals(saved)) return;
  throw failed(`${path} is another secret than the backup's: restore into an empty data folder.`);
}

async function restoreFiles(config: Config, folder: string, manifest: BackupManifest): Promise<void> {
  if (manifest.objects !== null && config.objects.kind === "files") {
    await copyObjects(backupPaths.objects(folder), config.objects.folder);
  }
  if (!manifest.has_secret || config.secret !== null) return;
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(backupPaths.secret(folder), join(config.dataDir, "secret"));
}
