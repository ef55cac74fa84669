import { randomBytes } from "node:crypto";
import { assert } from "../kit/index.ts";
import type { MediaType } from "../media/index.ts";
import { extensionOf, mediaTypeOfExtension } from "./media-extension.ts";

/**
 * `assets` are served by URL, `private` objects never are; `doctor` is for the doctor command, which leaves nothing
 * behind.
 */
type ObjectArea = "assets" | "private" | "doctor";

const KEY = /^(?:assets|private|doctor)\/[0-9a-f]{2}\/[0-9a-f]{32}\.([a-z0-9]{3,4})$/;

/** Random, so that it contains no user input; the first two digits spread files over 256 folders. */
export function newObjectKey(area: ObjectArea, mediaType: MediaType): string {
  const name = randomBytes(16).toString("hex");
  const folder = area === "doctor" ? "00" : name.slice(0, 2);
  return `${area}/${folder}/${name}.${extensionOf(mediaType)}`;
}

export function isObjectKey(text: string): boolean {
  return KEY.test(text);
}

/** Stores call this before they turn a key into a path: a key of any other form is a bug and must not become a path. */
export function assertObjectKey(key: string): void {
  assert(isObjectKey(key), "an object key of our own form");
}

export function mediaTypeOfKey(key: string): MediaType {
  const mediaType = mediaTypeOfExtension(KEY.exec(key)?.[1] ?? "");
  assert(mediaType !== undefined, "an object key with an extension of ours");
  return mediaType;
}
