import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type ObjectStoreSettings, openObjectStore } from "./open-store.ts";

/** In a folder of objects: what it is called, whoever has mounted it, wherever. No object, and in no backup. */
export const PLACE_FILE = ".bursar-place";
const PLACE_ID = /^[0-9a-f]{32}$/;

/** Gives a folder its name, once. Where it cannot be written to it has none, and counts as this machine's own. */
export function nameObjectsPlace(settings: ObjectStoreSettings): void {
  if (settings.kind !== "files") return;
  try {
    mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
    writeNew(join(settings.folder, PLACE_FILE), randomBytes(16).toString("hex"));
  } catch {
    // It has a name already, or cannot be used: the start tells that by itself.
  }
}

/** On a full disk a file can be made and nothing be written into it. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The same for two nodes only where both find the same objects. */
export function objectsPlace(settings: ObjectStoreSettings): string {
  const id = settings.kind === "files" ? placeIdOf(settings.folder) : null;
  return id === null ? formerObjectsPlace(settings) : `the folder whose ${PLACE_FILE} says ${id}`;
}

/** As it was called before folders had names, and is where they have none: by its path, which is another on every machine. */
export function formerObjectsPlace(settings: ObjectStoreSettings): string {
  const { description } = openObjectStore(settings);
  return settings.kind === "files" ? `${description} on ${hostname()}` : description;
}

function placeIdOf(folder: string): string | null {
  try {
    const text = readFileSync(join(folder, PLACE_FILE), "utf8");
    return PLACE_ID.test(text) ? text : null;
  } catch {
    return null;
  }
}
