import { membersOf } from "./json-columns.ts";
import { COMPACT, type JsonStyle, SPACED, styleOf } from "./json-style.ts";
import { type JsonTape, scanJson } from "./json-tape.ts";

/** JSON Lines, read as the members of an array. */
type JsonLines = {
  readonly tape: JsonTape;
  readonly style: JsonStyle;
  /** The final line break, or empty. */
  readonly rest: string;
};

const LINE_BREAK = 10;
const OPENING = 123;

/**
 * Mostly logs. Null if a line is not an object, or has another style than the rest. Bound: the text is read at most
 * twice, and only if its first two lines look like objects.
 */
export function scanJsonLines(text: string): JsonLines | null {
  const second = text.indexOf("\n") + 1;
  if (text.charCodeAt(0) !== OPENING || second === 0 || text.charCodeAt(second) !== OPENING) return null;
  const rest = text.endsWith("\n") ? "\n" : "";
  const lines = text.slice(0, text.length - rest.length);
  const tape = scanJson(`[${lines.replaceAll("\n", COMPACT.comma)}]`);
  if (tape === null || !isLineByLine(tape, lines)) return null;
  if (styleOf(tape) === COMPACT) return { tape, style: COMPACT, rest };
  const spaced = scanJson(`[${lines.replaceAll("\n", SPACED.comma)}]`);
  return spaced !== null && styleOf(spaced) === SPACED ? { tape: spaced, style: SPACED, rest } : null;
}

/** Whether every line is exactly one member, and an object. Offsets differ by one because of the added bracket. */
function isLineByLine(tape: JsonTape, lines: string): boolean {
  let end = -1;
  for (const member of membersOf(tape, 0)) {
    const start = (tape.starts[member] as number) - 1;
    if (tape.kinds[member] !== "object" || start !== end + 1) return false;
    if (start > 0 && lines.charCodeAt(end) !== LINE_BREAK) return false;
    end = (tape.ends[member] as number) - 1;
  }
  return end === lines.length && !hasBreakInside(tape, lines);
}

/** A line break inside an object became a comma as well, and the text may still be valid JSON. */
function hasBreakInside(tape: JsonTape, lines: string): boolean {
  let breaks = 0;
  for (let at = lines.indexOf("\n"); at >= 0; at = lines.indexOf("\n", at + 1)) breaks++;
  return breaks !== membersOf(tape, 0).length - 1;
}
