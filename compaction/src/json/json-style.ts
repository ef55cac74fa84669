import { INDENTED } from "../text/marks.ts";
import { membersOf } from "./json-columns.ts";
import type { JsonTape } from "./json-tape.ts";

/**
 * The white space style of a JSON text. A text in a known style can be reproduced exactly from its compact form: with
 * these separators, and with the indentation that the mark above it states.
 */
export type JsonStyle = { readonly comma: string; readonly colon: string; readonly mark: string };

export const COMPACT: JsonStyle = { comma: ",", colon: ":", mark: "" };
/** As Python's `json.dumps` writes it. */
export const SPACED: JsonStyle = { comma: ", ", colon: ": ", mark: "" };

/** Nobody writes longer indents. */
const MOST_INDENT = 8;
const LINE_BREAK = 10;

/** Null for any other style, and if white space precedes the text. What follows it is not checked. */
export function styleOf(tape: JsonTape): JsonStyle | null {
  const isIndented = tape.starts[0] === 0 && tape.text.charCodeAt(tape.gaps[0] ?? 0) === LINE_BREAK;
  return isIndented && tape.gaps[0] !== tape.ends[0] ? indentedStyleOf(tape) : oneLineStyleOf(tape);
}

/** The same for JSON on a single line. */
export function oneLineStyleOf(tape: JsonTape): JsonStyle | null {
  const { text, gaps, starts, ends } = tape;
  if (starts[0] !== 0) return null;
  const count = gaps.at(-1) === text.length && gaps.at(-2) === ends[0] ? gaps.length - 2 : gaps.length;
  if (count === 0) return COMPACT;
  for (let at = 0; at < count; at += 2) {
    const start = gaps[at] as number;
    const before = text.charCodeAt(start - 1);
    if ((before !== 44 && before !== 58) || gaps[at + 1] !== start + 1 || text.charCodeAt(start) !== 32) {
      return null;
    }
  }
  return count / 2 === countSeparators(tape) ? SPACED : null;
}

/**
 * Commas between values and colons after keys: in every non-empty container, one less than it has values (and keys).
 */
function countSeparators({ kinds, nexts }: JsonTape): number {
  let count = kinds.length - 1;
  for (const [value, kind] of kinds.entries()) {
    const isContainer = kind === "object" || kind === "array";
    if (isContainer && (nexts[value] as number) > value + 1) count--;
  }
  return count;
}

/** Indented by the same blanks, or a tab, per level, with every value on its own line, as most languages write it. */
function indentedStyleOf(tape: JsonTape): JsonStyle | null {
  const unit = tape.text.slice((tape.gaps[0] as number) + 1, tape.gaps[1]);
  const isBlanks = unit !== "" && unit.length <= MOST_INDENT && unit === " ".repeat(unit.length);
  if ((!isBlanks && unit !== "\t") || !isIndentedBy(tape, unit)) return null;
  const how = isBlanks ? `${unit.length} blank${unit.length === 1 ? "" : "s"}` : "a tab";
  return { ...COMPACT, mark: `${INDENTED}${how}\n` };
}

function isIndentedBy(tape: JsonTape, unit: string): boolean {
  const { text, kinds, starts, ends } = tape;
  const breaks = ["\n"];

  /** A line break and the indentation of that level. */
  function breakAt(depth: number): string {
    const known = breaks[depth];
    if (known !== undefined) return known;
    const found = breakAt(depth - 1) + unit;
    breaks[depth] = found;
    return found;
  }

  function isIndented(value: number, depth: number): boolean {
    const kind = kinds[value];
    if (kind !== "object" && kind !== "array") return true;
    const members = membersOf(tape, value);
    const start = (starts[value] as number) + 1;
    const end = (ends[value] as number) - 1;
    if (members.length === 0) return start === end;
    let from = start;
    for (const [at, member] of members.entries()) {
      const isValue = kind === "object" && at % 2 === 1;
      const comma = at === 0 ? "" : ",";
      const between = isValue ? ": " : comma + breakAt(depth + 1);
      if (!isBetween(from, starts[member] as number, between) || !isIndented(member, depth + 1)) return false;
      from = ends[member] as number;
    }
    return isBetween(from, end, breakAt(depth));
  }

  function isBetween(from: number, to: number, expected: string): boolean {
    return to - from === expected.length && text.startsWith(expected, from);
  }

  return isIndented(0, 0);
}
