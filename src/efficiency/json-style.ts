import type { JsonTape } from "./json-tape.ts";

/** How the values of a JSON text are set apart. A text in one of the known styles can be written again exactly. */
export type JsonStyle = { readonly comma: string; readonly colon: string };

export const COMPACT: JsonStyle = { comma: ",", colon: ":" };
/** As Python writes it. */
export const SPACED: JsonStyle = { comma: ", ", colon: ": " };

/** Null for any other style. */
export function styleOf({ text, gaps, kinds, nexts }: JsonTape): JsonStyle | null {
  if (gaps.length === 0) return COMPACT;
  for (let at = 0; at < gaps.length; at += 2) {
    const start = gaps[at] as number;
    const before = text.charCodeAt(start - 1);
    if ((before !== 44 && before !== 58) || gaps[at + 1] !== start + 1 || text.charCodeAt(start) !== 32) {
      return null;
    }
  }
  return gaps.length / 2 === countSeparators(kinds, nexts) ? SPACED : null;
}

/** Commas between values and colons behind keys: in any container, one less than it has values (and keys). */
function countSeparators(kinds: JsonTape["kinds"], nexts: JsonTape["nexts"]): number {
  let count = kinds.length - 1;
  for (const [value, kind] of kinds.entries()) {
    const isContainer = kind === "object" || kind === "array";
    if (isContainer && (nexts[value] as number) > value + 1) count--;
  }
  return count;
}
