import { constants, type Dirent } from "node:fs";
import { copyFile, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PLACE_FILE } from "../../assets/index.ts";
import { codeOf } from "../../kit/index.ts";
import { hashOfFile, type ObjectHashes } from "./object-list.ts";

export type CopiedObjects = {
  readonly files: number;
  readonly bytes: number;
  readonly hashes: ObjectHashes;
};

/** Half-written objects of running calls. */
const UNFINISHED = ".part";

/**
 * Copies every file of the folder and its subfolders, and syncs it to disk. A file that disappears meanwhile was
 * deleted by its owner, or swept because it was never paid for.
 */
export async function copyObjects(from: string, to: string): Promise<CopiedObjects> {
  const hashes = new Map<string, string>();
  let bytes = 0;
  for (const path of await filesBelow(from)) {
    const copy = join(to, path);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    try {
      await copyFile(join(from, path), copy, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (isMissing(error)) continue;
      throw error;
    }
    await seal(copy);
    hashes.set(path, await hashOfFile(copy));
    bytes += (await stat(copy)).size;
  }
  return { files: hashes.size, bytes, hashes };
}

/** Paths relative to the folder. Like the store, it ignores symbolic links inside; the folder itself may be one. */
export async function filesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const below = [""];
  for (let at = below.pop(); at !== undefined; at = below.pop()) {
    for (const entry of await entriesOf(join(folder, at))) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) below.push(path);
      else if (entry.isFile() && !entry.name.endsWith(UNFINISHED) && path !== PLACE_FILE) paths.push(path);
    }
  }
  return paths;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A copy has the mode of its source, which may come from anywhere the backup has been. */
async function seal(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}
