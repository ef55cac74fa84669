import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tablesManifest } from "../../db/index.ts";
import { failed, misused } from "../cli-error.ts";

const FORMAT = 1;
const MANIFEST = "manifest.json";

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  bursar: z.string(),
  created_at: z.string(),
  database: tablesManifest,
  /** Null where the files of the library are in a bucket, which is not part of a backup. */
  objects: z.object({ files: z.int(), bytes: z.int() }).nullable(),
  /** Of the list of their hashes; older backups have none. */
  objects_sha256: z.string().nullish(),
  has_secret: z.boolean(),
});

/** What a backup holds. Written last, so a folder without it is no backup. */
export type BackupManifest = z.infer<typeof manifestSchema>;

export const backupPaths = {
  objects: (folder: string) => join(folder, "objects"),
  objectList: (folder: string) => join(folder, "objects.sha256"),
  secret: (folder: string) => join(folder, "secret"),
};

/** Keys' hashes, people's addresses and what they asked for lie in it: nobody else may read it. */
export function makeBackupFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw misused(`${folder} is not empty: name a folder for this backup alone.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export function saveManifest(folder: string, manifest: Omit<BackupManifest, "format">): void {
  const path = join(folder, MANIFEST);
  writeFileSync(path, `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`, {
    mode: 0o600,
    flag: "wx",
  });
  for (const each of [path, folder]) syncToDisk(each);
}

export function loadManifest(folder: string): BackupManifest {
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST), "utf8");
  } catch {
    throw failed(`${folder} has no ${MANIFEST}: it is no backup, or one that was not finished.`);
  }
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw failed(`${join(folder, MANIFEST)} cannot be read: ${(error as Error).message}`);
  }
}

function syncToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
