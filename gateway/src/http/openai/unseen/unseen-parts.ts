import { isObject } from "../../../kit/index.ts";
import type { UnseenSize } from "./unseen-size.ts";

/** A field of a part that the neutral form shows; if its value is an object, only the `inner` fields of it. */
type SeenField = {
  readonly field: string;
  readonly shown: ReadonlySet<string>;
  readonly inner: ReadonlySet<string>;
};

/** By type of part. If a type has several fields, the first one present is the one that is seen. */
export type SeenParts = ReadonlyMap<unknown, readonly SeenField[]>;

export function seenField(field: string, ...inner: readonly string[]): SeenField {
  return { field, shown: new Set(["type", field]), inner: new Set(inner) };
}

/** Added for each part, since even an empty one costs a little. */
const PART = "-";

/**
 * Adds what is unseen in the parts of a content; a plain string is seen entirely. `kinds` are the parts that have a
 * neutral form on this wire.
 */
export function addUnseenParts(content: unknown, kinds: SeenParts, unseen: UnseenSize): void {
  if (!Array.isArray(content)) return;
  for (const part of content) {
    unseen.add(PART);
    if (!isObject(part)) continue;
    const seen = kinds.get(part["type"])?.find(({ field }) => (part[field] ?? null) !== null);
    if (seen === undefined) {
      unseen.add(part);
      continue;
    }
    unseen.addOthers(part, seen.shown);
    const value = part[seen.field];
    if (isObject(value)) unseen.addOthers(value, seen.inner);
  }
}
