import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  isObjectKey,
  type ObjectStore,
  type ObjectStoreSettings,
  openObjectStore,
} from "../../assets/index.ts";
import { failed } from "../cli-error.ts";
import { countText, sizeText } from "../wording.ts";
import { backupPaths } from "./backup-folder.ts";
import { type CopiedObjects, copyObjects, filesBelow } from "./copy-objects.ts";

type Restoring = {
  readonly folder: string;
  /** Null: the backup has no files, see the manifest. */
  readonly saved: CopiedObjects | null;
  readonly settings: ObjectStoreSettings;
};

/** The library's files, to where this gateway will look for them; refused where the backup has lost any. */
export async function restoreObjects({ folder, saved, settings }: Restoring): Promise<void> {
  if (saved === null) return;
  const from = backupPaths.objects(folder);
  const found =
    settings.kind === "files"
      ? await copyObjects(from, settings.folder)
      : await uploadObjects(from, openObjectStore(settings));
  if (found.files === saved.files && found.bytes === saved.bytes) return;
  throw failed(`${from} has ${figuresText(found)}, of ${figuresText(saved)}: the backup is damaged.`);
}

/** For the operator, once everything is there. */
export function restoredObjectsText({ saved, settings }: Restoring): string {
  if (saved !== null) {
    const where = settings.kind === "files" ? settings.folder : openObjectStore(settings).description;
    return `${countText(saved.files, "file")} of the library, ${sizeText(saved.bytes)}, now in ${where}.`;
  }
  return settings.kind === "s3"
    ? "The library's files are in their bucket, not in the backup."
    : `The library's files are in a bucket, not in the backup: set BURSAR_S3_* to it, or copy them to ${settings.folder}.`;
}

/** One after the other, so that memory holds one object, which is never larger than when the gateway wrote it. */
async function uploadObjects(from: string, objects: ObjectStore): Promise<CopiedObjects> {
  let files = 0;
  let bytes = 0;
  for (const path of await filesBelow(from)) {
    const file = join(from, path);
    // Whatever else lay in that folder is no object: no row names it.
    if (isObjectKey(path)) await objects.write(path, await readFile(file));
    files++;
    bytes += (await stat(file)).size;
  }
  return { files, bytes };
}

function figuresText({ files, bytes }: CopiedObjects): string {
  return `${countText(files, "file")}, ${countText(bytes, "byte")}`;
}
