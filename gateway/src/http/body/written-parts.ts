import type { Place, WrittenParts } from "../../contract/index.ts";
import { isObject } from "../../kit/index.ts";

/** Keyed by the body, like the numbers that are kept with their digits. */
const kept = new WeakMap<object, WrittenParts>();

/** `read` has the place of each object and list within a list of the body, in the order of its fields. */
export function keepWrittenParts(body: unknown, bytes: Uint8Array, read: readonly Place[]): void {
  if (!isObject(body)) return;
  const places = new Map<unknown, Place>();
  for (const name in body) {
    const list = body[name];
    if (!Array.isArray(list)) continue;
    for (const part of list) {
      const place = read[places.size];
      if (place !== undefined && typeof part === "object" && part !== null) places.set(part, place);
    }
  }
  kept.set(body, {
    bytes: Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength),
    places,
  });
}

export function writtenPartsIn(body: object): WrittenParts | undefined {
  return kept.get(body);
}
