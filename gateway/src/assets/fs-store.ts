import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assert, codeOf } from "../kit/index.ts";
import { assertObjectKey } from "./object-key.ts";
import type { ObjectStore } from "./object-store.ts";

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;
const READ_PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW;

/**
 * Objects as files. A write is first made durable under a temporary name next to the object, so that a crash or a full
 * disk leaves no partial object. That name is derived from the key, so deleting the object also removes leftovers.
 * Symbolic links that somebody planted are not followed, neither for the object nor for its folders.
 */
export function createFileStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    assertObjectKey(key);
    return join(root, key);
  };

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key);
    const owner = await otherOwner(root);
    const folder = await makeFolder(root, dirname(path), owner);
    assert(folder, "a folder of objects is a folder of its own");
    const unfinished = `${path}.part`;
    try {
      const file = await open(unfinished, WRITE_NEW, 0o600);
      try {
        await giveTo(owner, file);
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

  /** Only a regular file in a regular folder is an object; anything else was put there by somebody else. */
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

type Owner = { readonly uid: number; readonly gid: number };

/** Root may serve another user's folder; that user must be able to read and write here afterwards. */
async function otherOwner(root: string): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null;
  const found = await stat(root).catch(missingAsFalse);
  return found && found.uid !== 0 ? found : null;
}

/** If even root may not change the owner, as on many network shares, it stays as it is. */
async function giveTo(owner: Owner | null, made: FileHandle): Promise<void> {
  if (owner) await made.chown(owner.uid, owner.gid).catch(() => {});
}

/** Makes the folder durable, along with every new parent. */
async function makeFolder(root: string, folder: string, owner: Owner | null): Promise<boolean> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  const isOwn = await isOwnFolder(root, folder);
  if (isOwn && first !== undefined) {
    // Ends at the parent of the first new folder, which is an ancestor of `folder`.
    for (let made = folder; made.length >= first.length; made = dirname(made)) {
      // Without O_NOFOLLOW, root could give away the target of a planted link.
      if (owner) await withOpen(made, FOLDER | constants.O_NOFOLLOW, (handle) => giveTo(owner, handle));
      await syncFolder(dirname(made));
    }
  }
  return isOwn;
}

async function isOwnFolder(root: string, folder: string): Promise<boolean> {
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(folder)]);
  return realFolder === realRoot + folder.slice(root.length);
}

function syncFolder(folder: string): Promise<void> {
  return withOpen(folder, FOLDER, (handle) => handle.sync());
}

async function withOpen(
  path: string,
  flags: number,
  work: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(path, flags);
  try {
    await work(handle);
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
