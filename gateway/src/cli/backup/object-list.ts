import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObjectKey } from "../../assets/index.ts";
import { codeOf, sha256Hex } from "../../kit/index.ts";
import { failed } from "../cli-error.ts";
import { backupPaths, unreadable } from "./backup-folder.ts";

/** SHA-256 of each file, by its path in the objects folder. */
export type ObjectHashes = ReadonlyMap<string, string>;

const BEFORE_PATH = "  objects/";
const HASH_LETTERS = 64;

/**
 * Writes the hashes of the library's files in the format that `sha256sum -c` checks, and returns the hash of that list.
 * Other files in the folder are not objects: no row names them.
 */
export async function saveObjectList(folder: string, hashes: ObjectHashes): Promise<string> {
  const lines = [...hashes].filter(([path]) => isObjectKey(path));
  const text = lines.map(([path, hash]) => `${hash}${BEFORE_PATH}${path}\n`).join("");
  await writeFile(backupPaths.objectList(folder), text, { mode: 0o600, flag: "wx", flush: true });
  return sha256Hex(text);
}

/** Fails if a file, or the list itself, is not as it was written. */
export async function requireListedObjects(
  folder: string,
  { list, found }: { readonly list: string; readonly found: ObjectHashes },
): Promise<void> {
  const path = backupPaths.objectList(folder);
  const text = await readFile(path, "utf8").catch((error) => {
    throw codeOf(error) === "ENOENT" ? damaged(path) : unreadable(path, folder, error);
  });
  if (sha256Hex(text) !== list) throw damaged(path);
  for (const line of text.split("\n")) {
    const key = line.slice(HASH_LETTERS + BEFORE_PATH.length);
    if (line !== "" && found.get(key) !== line.slice(0, HASH_LETTERS)) {
      throw damaged(join(backupPaths.objects(folder), key));
    }
  }
}

/** Streamed, since a video may be too large for memory. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}

function damaged(path: string): Error {
  return failed(`${path} is missing or has changed: the backup is damaged.`);
}
