import { isObject } from "../../kit/index.ts";
import type { MediaAddresses } from "./media-address.ts";

/** Where the address stands if a field for pictures, sounds or files has fields itself. */
const WITHIN: readonly string[] = ["url", "data", "image", "audio", "video"];

/** Where in the value of such a field a host inside is named: as deep as lists and fields go. */
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
