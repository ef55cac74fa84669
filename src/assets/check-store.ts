import { randomBytes } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { access, readdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

const PROBE_BYTES = 4096;

/**
 * Writes, reads and deletes an object for real; rejects with what the store says. Nothing is left behind, nor are folders
 * below or above `folder`, where a store of files has one, that were not there before.
 */
export async function checkObjectStore(objects: ObjectStore, folder: string | null = null): Promise<void> {
  const key = newObjectKey("doctor", "image/png");
  const missing = folder === null ? [] : missingFolders(dirname(join(folder, key)));
  try {
    await writeAndRead(objects, key);
    if (folder !== null) await requireRights(folder);
  } finally {
    // The deepest first. One in which somebody has put something meanwhile stays, and so do those above it.
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
  // A key that may not list its bucket is refused an answer about what is not there.
  const left = await objects.sizeOf(key).catch(() => null);
  if (left !== null) throw new Error("what was deleted is still there");
}

/** Of every folder that has objects: one that another user has made may be closed to us, though a new one beside it is not. */
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
