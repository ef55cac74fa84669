import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashOfFile, type ObjectHashes } from "./object-list.ts";

export type CopiedObjects = {
  readonly files: number;
  readonly bytes: number;
  readonly hashes: ObjectHashes;
};

/** Half-written objects of calls under way. */
const UNFINISHED = ".part";

/**
 * Every file of the folder and of those below it, durable. One that goes away meanwhile was deleted by its owner, or swept
 * because nobody had paid for it.
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
    await sync(copy);
    hashes.set(path, await hashOfFile(copy));
    bytes += (await stat(copy)).size;
  }
  return { files: hashes.size, bytes, hashes };
}

/** Their paths, from the folder on. */
export async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
