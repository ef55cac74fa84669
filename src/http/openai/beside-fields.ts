import { ADDRESSES, isLoadedField, PERHAPS_ADDRESSES } from "./address-fields.ts";

/** Lists of plain addresses, as some servers take them beside the words, of a message or of the request. */
const LISTS: readonly string[] = ["images", "audios", "videos"];
/** Fields that are for pictures, sounds and files wherever they stand. */
export const MEDIA_FIELDS: ReadonlySet<string> = new Set([...ADDRESSES, ...LISTS, "input_audio"]);
/** What a part that is one says of itself. */
const MEDIA_PART = /^(?:input_)?(?:image|audio|video|document|file)(?:_url)?$/;
/** Fields of such a part. Elsewhere a `url` is where something was found, and the others are words. */
const PART_FIELDS: ReadonlySet<string> = new Set([...PERHAPS_ADDRESSES, "url", "file"]);

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
