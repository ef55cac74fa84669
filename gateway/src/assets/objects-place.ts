import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "../kit/index.ts";
import { type ObjectStoreSettings, openObjectStore } from "./open-store.ts";

/**
 * File in an object folder that holds the folder's id, so that nodes recognize the folder wherever it is mounted. Not
 * an object, and not part of a backup.
 */
export const PLACE_FILE = ".bursar-place";
const PLACE_ID = /^[0-9a-f]{32}$/;

/** Gives the folder an id, once. A folder that cannot be written to has none, and counts as local to this machine. */
export function nameObjectsPlace(settings: ObjectStoreSettings): void {
  if (settings.kind !== "files") return;
  const path = join(settings.folder, PLACE_FILE);
  try {
    mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
    if (isWithoutName(path)) writeName(path);
  } catch {
    // The folder cannot be used; startup reports that by itself.
  }
}

/** True if the file is missing or empty. One that cannot be read may well hold the id that other nodes use. */
function isWithoutName(path: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() === "";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    throw error;
  }
}

/**
 * A hard link appears complete and never replaces another node's file. The fallback replaces an empty file and serves
 * network shares without links.
 */
function writeName(path: string): void {
  const draft = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    writeFileSync(draft, randomBytes(16).toString("hex"), { flag: "wx", mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch {
      if (isWithoutName(path)) renameSync(draft, path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Equal for two nodes only if both find the same objects. A folder without an id is named with the host, since the same
 * path is a different folder on each machine.
 */
export function nameOfObjectsPlace(settings: ObjectStoreSettings): string {
  const { description } = openObjectStore(settings);
  if (settings.kind !== "files") return description;
  const id = placeIdOf(settings.folder);
  return id === null ? `${description} on ${hostname()}` : `the folder whose ${PLACE_FILE} says ${id}`;
}

function placeIdOf(folder: string): string | null {
  try {
    const text = readFileSync(join(folder, PLACE_FILE), "utf8").trim();
    return PLACE_ID.test(text) ? text : null;
  } catch {
    return null;
  }
}
