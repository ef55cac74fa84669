import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObjectKey, type ObjectStoreSettings, openObjectStore } from "../../assets/index.ts";
import { failed } from "../cli-error.ts";
import { reasonOf, secretsOf } from "../doctor/check.ts";
import { countText, sizeText } from "../wording.ts";
import { backupPaths } from "./backup-folder.ts";
import { type CopiedObjects, copyObjects, filesBelow } from "./copy-objects.ts";
import { hashOfFile, requireListedObjects } from "./object-list.ts";

type Figures = Pick<CopiedObjects, "files" | "bytes">;

type Restoring = {
  readonly folder: string;
  /** Null if the backup has no files, see the manifest. */
  readonly saved: Figures | null;
  /** Hash of the list of their hashes; null in older backups. */
  readonly list: string | null;
  readonly settings: ObjectStoreSettings;
};

/** Restores the library's files to where this gateway will look for them; fails if any are lost or damaged. */
export async function restoreObjects({ folder, saved, list, settings }: Restoring): Promise<void> {
  if (saved === null) return;
  const from = backupPaths.objects(folder);
  const found =
    settings.kind === "files"
      ? await copyObjects(from, settings.folder)
      : await uploadObjects(from, settings);
  if (found.files !== saved.files || found.bytes !== saved.bytes) {
    throw failed(`${from} has ${figuresText(found)}, of ${figuresText(saved)}: the backup is damaged.`);
  }
  if (list !== null) await requireListedObjects(folder, { list, found: found.hashes });
}

/** The report to the operator after everything is restored. */
export function restoredObjectsText({ saved, settings }: Restoring): string {
  if (saved !== null) {
    const where = settings.kind === "files" ? settings.folder : openObjectStore(settings).description;
    return `${countText(saved.files, "file")} of the library, ${sizeText(saved.bytes)}, now in ${where}.`;
  }
  return settings.kind === "s3"
    ? "The library's files are in their bucket, not in the backup."
    : `The library's files are in a bucket, not in the backup: set BURSAR_S3_* to it, or copy them to ${settings.folder}.`;
}

/** One by one, so that memory holds one object, which is never larger than when the gateway wrote it. */
async function uploadObjects(from: string, settings: ObjectStoreSettings): Promise<CopiedObjects> {
  const objects = openObjectStore(settings);
  const hashes = new Map<string, string>();
  let bytes = 0;
  for (const path of await filesBelow(from)) {
    const file = join(from, path);
    // Other files in the folder are not objects: no row names them.
    if (isObjectKey(path)) {
      const content = await readFile(file);
      await objects.write(path, content).catch((error: unknown) => {
        const reason = reasonOf(error, secretsOf(settings));
        throw failed(`${path} cannot be stored in ${objects.description} (${reason}).`);
      });
    }
    hashes.set(path, await hashOfFile(file));
    bytes += (await stat(file)).size;
  }
  return { files: hashes.size, bytes, hashes };
}

function figuresText({ files, bytes }: Figures): string {
  return `${countText(files, "file")}, ${countText(bytes, "byte")}`;
}
