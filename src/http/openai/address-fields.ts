import { isObject } from "../../kit/index.ts";
import { beginsWithScheme, withoutLeading } from "./address-beginning.ts";
import { insideIn } from "./inside-in.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Fields that name a picture, a sound or a file, or carry its bytes, on their own or by a `url` inside. */
export const ADDRESSES: ReadonlySet<string> = new Set([
  "image_url",
  "audio_url",
  "video_url",
  "document_url",
  "file_url",
  "file_data",
]);
/** Fields that some servers read an address from, while others have words, bytes or more fields there. */
export const PERHAPS_ADDRESSES: ReadonlySet<string> = new Set(["image", "audio", "video", "source"]);
/** What servers on top of the transformers library load too, of a part that is one of these. */
const LOADED_FIELDS: ReadonlySet<string> = new Set(["path", "base64"]);
const LOADED_KINDS: ReadonlySet<unknown> = new Set(["image", "audio", "video"]);
/** Kinds of parts of which some servers read the `url`. Elsewhere it is where something was found. */
const MEDIA: ReadonlySet<unknown> = new Set(["image", "audio", "video", "document", "file"]);

/** How a field that can have an address is read. */
type AddressReading = {
  /** Where the address stands if the field has fields itself. */
  readonly inside: readonly string[];
  /** What is meant for one; null where nothing is, which goes on unjudged. */
  meant(text: string): string | null;
};

/** A scheme, or the root of a path. */
function likeAddress(written: string): string | null {
  const text = withoutLeading(written);
  return text.startsWith("/") || beginsWithScheme(text) ? text : null;
}

const CERTAIN: AddressReading = { inside: ["url"], meant: (text) => text };
const PERHAPS: AddressReading = { inside: ["url"], meant: likeAddress };
/** Bytes by all rules, which nobody here decodes. */
const SOUND: AddressReading = { inside: ["url", "data"], meant: likeAddress };

export function isLoadedField(name: string, kind: unknown): boolean {
  return LOADED_FIELDS.has(name) && LOADED_KINDS.has(kind);
}

/** How the field `name` of something of this kind is read; null where nobody looks for an address there. */
export function readingOf(name: string, kind: unknown): AddressReading | null {
  if (name === "input_audio" || (name === "data" && kind === "input_audio")) return SOUND;
  if (ADDRESSES.has(name)) return CERTAIN;
  const isPerhaps = PERHAPS_ADDRESSES.has(name) || (name === "url" && MEDIA.has(kind));
  return isPerhaps || isLoadedField(name, kind) ? PERHAPS : null;
}

/** Where in the value an address stands that may not be handed on: one, a list of them, or fields with either. */
export function refusedAddress(
  value: unknown,
  reading: AddressReading,
  addresses: MediaAddresses,
): string | null {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const place = refusedIn(value[at], reading, addresses);
      if (place !== null) return `[${at}]${place}`;
    }
    return null;
  }
  return refusedIn(value, reading, addresses);
}

function refusedIn(value: unknown, reading: AddressReading, addresses: MediaAddresses): string | null {
  if (typeof value === "string") {
    const meant = reading.meant(value);
    return meant !== null && !addresses.take(meant) ? "" : null;
  }
  // Servers on top of transformers read a list in a list through to the last: there, a host inside alone is refused.
  if (Array.isArray(value)) return insideIn(value, addresses);
  if (!isObject(value)) return null;
  for (const name of reading.inside) {
    const place = refusedInside(value[name], reading, addresses);
    if (place !== null) return `.${name}${place}`;
  }
  return null;
}

function refusedInside(value: unknown, reading: AddressReading, addresses: MediaAddresses): string | null {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const at = texts.findIndex(
    (text) => typeof text === "string" && refusedIn(text, reading, addresses) !== null,
  );
  if (at < 0) return null;
  return texts === value ? `[${at}]` : "";
}
