import { ADDRESSES, isLoadedField, PERHAPS_ADDRESSES } from "./address-fields.ts";

/** Lists of plain addresses, which some servers accept next to a message's content or at the top level of a request. */
const LISTS: readonly string[] = ["images", "audios", "videos"];
/** Fields that hold images, audio or files wherever they occur. */
export const MEDIA_FIELDS: ReadonlySet<string> = new Set([...ADDRESSES, ...LISTS, "input_audio"]);
/** The `type` of a part that is an image, audio or file. */
const MEDIA_PART = /^(?:input_)?(?:image|audio|video|document|file)(?:_url)?$/;
/** Fields of such a part. Elsewhere, a `url` only says where something was found, and the others are text. */
const PART_FIELDS: ReadonlySet<string> = new Set([...PERHAPS_ADDRESSES, "url", "file"]);

/**
 * Whether a server may read an address from the field `name` of an object of type `kind`, outside of a message's
 * content. If the object is an image, audio or file by its type, several fields may hold one; if not, only fields that
 * are for nothing else.
 */
export function isMediaField(name: string, kind: unknown): boolean {
  if (MEDIA_FIELDS.has(name)) return true;
  if (typeof kind !== "string" || !MEDIA_PART.test(kind)) return false;
  if (PART_FIELDS.has(name) || isLoadedField(name, kind)) return true;
  return name === "data" && kind === "input_audio";
}
