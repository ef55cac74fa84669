import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { tablesManifest } from "../../db/index.ts";
import { codeOf, messageOf, syncToDisk } from "../../kit/index.ts";
import { failed, misused } from "../cli-error.ts";
import { userName } from "../user-name.ts";

const FORMAT = 1;
const MANIFEST = "manifest.json";

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  bursar: z.string(),
  created_at: z.string(),
  database: tablesManifest,
  /** Null if the library's files are in a bucket, which is not part of a backup. */
  objects: z.object({ files: z.int(), bytes: z.int() }).nullable(),
  /** Hash of the list of their hashes; older backups have none. */
  objects_sha256: z.string().nullish(),
  has_secret: z.boolean(),
});

const newerSchema = z.object({ format: z.int().min(FORMAT + 1) });

/** What a backup contains. Written last, so a folder without it is not a backup. */
export type BackupManifest = z.infer<typeof manifestSchema>;

export const backupPaths = {
  objects: (folder: string) => join(folder, "objects"),
  objectList: (folder: string) => join(folder, "objects.sha256"),
  secret: (folder: string) => join(folder, "secret"),
};

/** Creates nothing: there may be nothing to back up. */
export function requireEmptyFolder(folder: string): void {
  const names = usable(folder, () => (existsSync(folder) ? readdirSync(folder) : []));
  if (names.length > 0) throw misused(`${folder} is not empty: name a folder for this backup alone.`);
}

/** It contains key hashes, email addresses and requests, so nobody else may read it. */
export function makeBackupFolder(folder: string): void {
  usable(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  });
}

function usable<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw failed(
      `${folder} cannot be used (${messageOf(error)}): the user ${userName()} must be able to write there.`,
    );
  }
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
  const path = join(folder, MANIFEST);
  const given = parsed(readManifest(folder));
  const { data: newer } = newerSchema.safeParse(given);
  if (newer !== undefined) {
    throw failed(
      `${folder} was made by a newer Bursar (format ${newer.format}, this one knows ${FORMAT}): restore it with that version.`,
    );
  }
  const { data: manifest, error } = manifestSchema.safeParse(given);
  if (manifest !== undefined) return manifest;
  const part = error.issues[0]?.path.join(".") || "its JSON";
  throw failed(`${path} is damaged, or not a backup's: ${part} is missing or wrong.`);
}

function readManifest(folder: string): string {
  const path = join(folder, MANIFEST);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      throw failed(`${folder} has no ${MANIFEST}: it is not a backup, or an unfinished one.`);
    }
    throw unreadable(path, folder, error);
  }
}

/** For example, the service's command runs as its own user, and the folder belongs to root. */
export function unreadable(path: string, folder: string, error: unknown): Error {
  return failed(
    `${path} cannot be read (${messageOf(error)}): the user ${userName()} must be able to read all of ${folder}.`,
  );
}

/** Undefined, which no schema accepts, if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
