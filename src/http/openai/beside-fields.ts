import { isObject } from "../../kit/index.ts";
import { ADDRESSES, isLoadedField, PERHAPS_ADDRESSES } from "./address-fields.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Lists of plain addresses, as some servers take them beside the words, of a message or of the request. */
const LISTS: readonly string[] = ["images", "audios", "videos"];
/** Fields that are for pictures, sounds and files wherever they stand. */
export const MEDIA_FIELDS: ReadonlySet<string> = new Set([...ADDRESSES, ...LISTS, "input_audio"]);
/** What a part that is one says of itself. */
const MEDIA_PART = /^(?:input_)?(?:image|audio|video|document|file)(?:_url)?$/;
/** Fields of such a part. Elsewhere a `url` is where something was found, and the others are words. */
const PART_FIELDS: ReadonlySet<string> = new Set([...PERHAPS_ADDRESSES, "url", "file"]);
/** Where the address stands if such a field has fields itself. */
const WITHIN: readonly string[] = ["url", "data", "image", "audio", "video"];

/**
 * Whether some server may read an address from the field `name` of something of this kind, outside of a content: of what
 * says of itself that it is a picture, a sound or a file; elsewhere only where the name is for these alone.
 */
export function isMediaField(name: string, kind: unknown): boolean {
  if (MEDIA_FIELDS.has(name)) return true;
  if (typeof kind !== "string" || !MEDIA_PART.test(kind)) return false;
  if (PART_FIELDS.has(name) || isLoadedField(name, kind)) return true;
  return name === "data" && kind === "input_audio";
}

/** Where in the value of such a field an address inside stands: as deep as lists and fields go. */
export function insideIn(value: unknown, addresses: MediaAddresses): string | null {
  if (typeof value === "string") return addresses.isInside(value) ? "" : null;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const place = insideIn(value[at], addresses);
      if (place !== null) return `[${at}]${place}`;
    }
    return null;
  }
  if (!isObject(value)) return null;
  for (const name of WITHIN) {
    const place = insideIn(value[name], addresses);
    if (place !== null) return `.${name}${place}`;
  }
  return null;
}
