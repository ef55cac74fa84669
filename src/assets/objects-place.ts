import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "../kit/index.ts";
import { type ObjectStoreSettings, openObjectStore } from "./open-store.ts";

/** In a folder of objects: what it is called, whoever has mounted it, wherever. No object, and in no backup. */
export const PLACE_FILE = ".bursar-place";
const PLACE_ID = /^[0-9a-f]{32}$/;

/** Gives a folder its name, once. Where it cannot be written to it has none, and counts as this machine's own. */
export function nameObjectsPlace(settings: ObjectStoreSettings): void {
  if (settings.kind !== "files") return;
  const path = join(settings.folder, PLACE_FILE);
  try {
    mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
    if (isWithoutName(path)) writeName(path);
  } catch {
    // It cannot be used: the start tells that by itself.
  }
}

/** Nothing is there, or nothing was written into it. One that cannot be read may well be the name that others go by. */
function isWithoutName(path: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() === "";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true;
    throw error;
  }
}

/** A link appears whole and never replaces another node's. What is empty is replaced; and some shares have no links. */
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

type PlaceNames = {
  /** The same for two nodes only where both find the same objects. */
  readonly objectsPlace: string;
  /** By its path, as before folders had names: the same path is another folder on every machine. */
  readonly formerObjectsPlace: string;
};

export function namesOfObjectsPlace(settings: ObjectStoreSettings): PlaceNames {
  const { description } = openObjectStore(settings);
  if (settings.kind !== "files") return { objectsPlace: description, formerObjectsPlace: description };
  const id = placeIdOf(settings.folder);
  const byPath = `${description} on ${hostname()}`;
  const objectsPlace = id === null ? byPath : `the folder whose ${PLACE_FILE} says ${id}`;
  return { objectsPlace, formerObjectsPlace: byPath };
}

function placeIdOf(folder: string): string | null {
  try {
    const text = readFileSync(join(folder, PLACE_FILE), "utf8").trim();
    return PLACE_ID.test(text) ? text : null;
  } catch {
    return null;
  }
}
