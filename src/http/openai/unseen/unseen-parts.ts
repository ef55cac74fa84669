import { isObject } from "../../../kit/index.ts";
import type { UnseenSize } from "./unseen-size.ts";

/** A field of a part that the neutral form shows; where it is an object, some of its own fields. */
type SeenField = {
  readonly field: string;
  readonly shown: ReadonlySet<string>;
  readonly inner: ReadonlySet<string>;
};

/** By the type of the part; of several fields the first that is there is seen. */
export type SeenParts = ReadonlyMap<unknown, readonly SeenField[]>;

export function seenField(field: string, ...inner: readonly string[]): SeenField {
  return { field, shown: new Set(["type", field]), inner: new Set(inner) };
}

/** A part costs a little even where it is empty. */
const PART = "-";

/** A content's parts; a text is seen as it is. `kinds` are the parts that have a neutral form on this wire. */
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
