import { isObject } from "../../kit/index.ts";
import { beginsWithScheme, withoutLeading } from "./address-beginning.ts";
import type { MediaAddresses } from "./media-address.ts";
import { unnested } from "./unnested.ts";

/** Fields that hold the URL or the bytes of an image, audio or file, either directly or in an inner `url`. */
export const ADDRESSES: ReadonlySet<string> = new Set([
  "image_url",
  "audio_url",
  "video_url",
  "document_url",
  "file_url",
  "file_data",
]);
/** Fields that some servers read a URL from, while others expect text, bytes or an object there. */
export const PERHAPS_ADDRESSES: ReadonlySet<string> = new Set(["image", "audio", "video", "source"]);
/** Fields that servers based on the transformers library also load, in parts of type LOADED_KINDS. */
const LOADED_FIELDS: ReadonlySet<string> = new Set(["path", "base64"]);
const LOADED_KINDS: ReadonlySet<unknown> = new Set(["image", "audio", "video"]);
/** Types of parts whose `url` some servers fetch. Elsewhere, a `url` only says where something was found. */
const MEDIA: ReadonlySet<unknown> = new Set(["image", "audio", "video", "document", "file"]);

/** How to read a field that may hold an address. */
type AddressReading = {
  /** Inner fields that may hold the address, if the value is an object. */
  readonly inside: readonly string[];
  /** The address in this text; null if it is not meant as one, in which case it is passed on unchecked. */
  meant(text: string): string | null;
};

/** Only what begins with a scheme or a slash is taken for an address. */
function likeAddress(written: string): string | null {
  const text = withoutLeading(written);
  return text.startsWith("/") || beginsWithScheme(text) ? text : null;
}

const CERTAIN: AddressReading = { inside: ["url"], meant: (text) => text };
const PERHAPS: AddressReading = { inside: ["url"], meant: likeAddress };
/** Holds bytes by every specification. Nobody here decodes them, so it is checked in case it holds an address. */
const SOUND: AddressReading = { inside: ["url", "data"], meant: likeAddress };

export function isLoadedField(name: string, kind: unknown): boolean {
  return LOADED_FIELDS.has(name) && LOADED_KINDS.has(kind);
}

/** How to read the field `name` of an object of type `kind`; null if no server looks for an address there. */
export function readingOf(name: string, kind: unknown): AddressReading | null {
  if (name === "input_audio" || (name === "data" && kind === "input_audio")) return SOUND;
  if (ADDRESSES.has(name)) return CERTAIN;
  const isPerhaps = PERHAPS_ADDRESSES.has(name) || (name === "url" && MEDIA.has(kind));
  return isPerhaps || isLoadedField(name, kind) ? PERHAPS : null;
}

/**
 * The path, within `value`, of an address that may not be passed on; null if there is none. The value may be an
 * address, a list of them, or an object with either.
 */
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
  // Servers based on transformers flatten nested lists. In those, only hosts of the internal network are refused.
  if (Array.isArray(value)) return unnested(value, addresses);
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
