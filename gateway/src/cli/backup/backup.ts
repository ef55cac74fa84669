import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, secretPath, soundConfig } from "../../config/index.ts";
import { saveTables } from "../../db/index.ts";
import { isOutOfRoom } from "../../kit/index.ts";
import { failed } from "../cli-error.ts";
import type { Command } from "../command.ts";
import type { FlagSpec } from "../flag.ts";
import { requireOwnDatabase } from "../require-own-database.ts";
import { requireTables } from "../require-tables.ts";
import { countText, sizeText } from "../wording.ts";
import {
  type BackupManifest,
  backupPaths,
  makeBackupFolder,
  requireEmptyFolder,
  saveManifest,
} from "./backup-folder.ts";
import { copyObjects } from "./copy-objects.ts";
import { saveObjectList } from "./object-list.ts";

export const FOLDER_FLAG: FlagSpec = {
  name: "folder",
  value: "FOLDER",
  about: "where to write the backup",
  required: true,
  positional: true,
};

export const backupCommand: Command = {
  path: ["backup"],
  about: "Copy everything, as it is now, into a folder.",
  notes:
    "Includes the database, the library's files and the data folder's secret; not bursar.yaml, the environment or a bucket. Safe while the gateway runs.",
  flags: [FOLDER_FLAG],
  async run({ flags, host }) {
    const config = soundConfig(host.inspectConfig());
    const folder = resolve(flags.required("folder"));
    requireEmptyFolder(folder);
    requireOwnDatabase(config);
    const db = await host.openDatabase(config);
    try {
      await requireTables(db);
      makeBackupFolder(folder);
      const created_at = new Date().toISOString();
      const database = await saveTables(db, folder);
      // After the rows: an object is stored before its row, so none that a saved row names is missing.
      const objects =
        config.objects.kind === "files"
          ? await copyObjects(config.objects.folder, backupPaths.objects(folder))
          : null;
      const manifest = {
        bursar: host.version,
        created_at,
        database,
        objects: objects && { files: objects.files, bytes: objects.bytes },
        objects_sha256: objects && (await saveObjectList(folder, objects.hashes)),
        has_secret: config.secret === null && copySecret(config.dataDir, folder),
      };
      saveManifest(folder, manifest);
      return { json: { ok: true, folder, ...figuresOf(manifest) }, text: wordsOf(folder, manifest, config) };
    } catch (error) {
      throw isOutOfRoom(error) ? failed(noRoomText(folder)) : error;
    } finally {
      await db.close();
    }
  },
};

function noRoomText(folder: string): string {
  return `There is no space left for the backup in ${folder}: remove that unfinished folder, then free some space or choose another place.`;
}

/** A gateway that never served has not created one yet. */
function copySecret(dataDir: string, folder: string): boolean {
  const own = secretPath(dataDir);
  if (!existsSync(own)) return false;
  copyFileSync(own, backupPaths.secret(folder));
  chmodSync(backupPaths.secret(folder), 0o600);
  return true;
}

type Saved = Omit<BackupManifest, "format">;

export function figuresOf({ database, objects }: Saved) {
  const sum = (of: "rows" | "bytes") => database.tables.reduce((total, table) => total + table[of], 0);
  return { tables: database.tables.length, rows: sum("rows"), bytes: sum("bytes"), objects };
}

function wordsOf(folder: string, manifest: Saved, { secret: setSecret }: Pick<Config, "secret">): string {
  const { rows, bytes, objects } = figuresOf(manifest);
  const files =
    objects === null
      ? "The library's files are in a bucket and not part of it: the bucket needs a backup of its own."
      : `${countText(objects.files, "file")} of the library, ${sizeText(objects.bytes)}.`;
  const secret = manifest.has_secret
    ? "It contains the data folder's secret: keep it where nobody else can read it."
    : setSecret === null
      ? "It contains no secret: the first start will make one."
      : "It contains no secret: keep the value of BURSAR_SECRET.";
  return `Saved ${countText(rows, "row")}, ${sizeText(bytes)}, to ${folder}.\n${files}\n${secret}`;
}
