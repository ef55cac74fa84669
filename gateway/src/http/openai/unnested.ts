import { isObject } from "../../kit/index.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Inner fields that may hold the address, if the value of a field for images, audio or files is an object. */
const WITHIN: readonly string[] = ["url", "data", "image", "audio", "video"];

/**
 * The path, within the value of such a field, of a text that names a host of the internal network; null if there is
 * none. Searches lists and objects at any depth.
 */
export function unnested(value: unknown, addresses: MediaAddresses): string | null {
  if (typeof value === "string") return addresses.isInside(value) ? "" : null;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const place = unnested(value[at], addresses);
      if (place !== null) return `[${at}]${place}`;
    }
    return null;
  }
  if (!isObject(value)) return null;
  for (const name of WITHIN) {
    const place = unnested(value[name], addresses);
    if (place !== null) return `.${name}${place}`;
  }
  return null;
}
