import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { access, readdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

const PROBE_BYTES = 4096;

/**
 * Actually writes, reads and deletes an object; rejects with the store's error. Leaves nothing behind: for a file
 * store, it also removes every folder that it had to create, `folder` and its parents included.
 */
export async function checkObjectStore(objects: ObjectStore, folder: string | null = null): Promise<void> {
  const key = newObjectKey("doctor", "image/png");
  const missing = folder === null ? [] : missingFolders(dirname(join(folder, key)));
  try {
    await writeAndRead(objects, key);
    if (folder !== null) await requireRights(folder);
  } finally {
    // Deepest first. A folder that somebody has put something into meanwhile stays, and so do its parents.
    for (const each of missing) await rmdir(each).catch(() => {});
  }
}

async function writeAndRead(objects: ObjectStore, key: string): Promise<void> {
  const bytes = randomBytes(PROBE_BYTES);
  await objects.write(key, bytes);
  try {
    const read = await objects.read(key, 0, PROBE_BYTES);
    if (!bytes.equals(read)) throw new Error("what was read is not what was written");
  } finally {
    await objects.delete(key);
  }
  // Without permission to list the bucket, asking about a missing object is refused.
  const left = await objects.sizeOf(key).catch(() => null);
  if (left !== null) throw new Error("what was deleted is still there");
}

/**
 * Checks every folder with objects: one created by another user may be closed to us even if we could create a new one.
 */
async function requireRights(folder: string): Promise<void> {
  for (const area of ["assets", "private"].map((name) => join(folder, name)).filter(existsSync)) {
    await requireRightsIn(area);
    const entries = await readdir(area, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await requireRightsIn(join(area, entry.name));
  }
}

function requireRightsIn(folder: string): Promise<void> {
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];
}
