import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assert, codeOf } from "../kit/index.ts";
import { assertObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const READ_PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW;

/**
 * Objects as files. A write is first made durable under a name of its own beside the object's, so a crash or a full
 * disk leaves no half object; the name follows from the key, so deleting the object takes what was left as well.
 * Links that somebody planted are not followed: neither at the object's own place nor in its folders.
 */
export function createFileStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    assertObjectKey(key);
    return join(root, key);
  };

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key);
    const folder = await makeFolder(root, dirname(path));
    assert(folder, "a folder of objects is a folder of its own");
    const unfinished = `${path}.part`;
    try {
      const file = await open(unfinished, WRITE_NEW, 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {});
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** Only a plain file in a plain folder is an object; anything else was put there by somebody else. */
  async function sizeOf(key: string): Promise<number | null> {
    const path = pathOf(key);
    try {
      const stats = await lstat(path);
      return stats.isFile() && (await isOwnFolder(root, dirname(path))) ? stats.size : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async function read(key: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const path = pathOf(key);
    assert(await isOwnFolder(root, dirname(path)), "a folder of objects is a folder of its own");
    const file = await open(path, READ_PLAIN);
    try {
      return await readWhole(file, start, length);
    } finally {
      await file.close();
    }
  }

  return {
    description: `files in ${root}`,
    write,
    sizeOf,
    read,
    blobOf: (key, start, length) => Bun.file(pathOf(key)).slice(start, start + length),
    async delete(key) {
      const path = pathOf(key);
      if (!(await isOwnFolder(root, dirname(path)).catch(missingAsFalse))) return;
      await rm(`${path}.part`, { force: true });
      await rm(path, { force: true });
    },
  };
}

/** Durable with every folder above it that is new. */
async function makeFolder(root: string, folder: string): Promise<boolean> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) {
    // Ends at the parent of the first new folder, which `folder` is below of.
    for (let made = folder; made.length >= first.length; made = dirname(made))
      await syncFolder(dirname(made));
  }
  return isOwnFolder(root, folder);
}

async function isOwnFolder(root: string, folder: string): Promise<boolean> {
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(folder)]);
  return realFolder === realRoot + folder.slice(root.length);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readWhole(file: FileHandle, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) throw new Error("the object is shorter than it should be");
    filled += bytesRead;
  }
  return bytes;
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
}

function missingAsFalse(error: unknown): false {
  if (isMissing(error)) return false;
  throw error;
}
