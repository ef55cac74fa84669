import { membersOf } from "./json-columns.ts";
import { COMPACT, type JsonStyle, SPACED, styleOf } from "./json-style.ts";
import { type JsonTape, scanJson } from "./json-tape.ts";

/** An object of JSON on every line, as members of an array. */
type JsonLines = {
  readonly tape: JsonTape;
  readonly style: JsonStyle;
  /** The line break behind the last of them, or nothing. */
  readonly rest: string;
};

const LINE_BREAK = 10;
const OPENING = 123;

/**
 * Logs, mostly. Null where a line is anything but an object, or is not written as the others are. Bound: the text is read
 * twice at the most, and only if its first two lines look like objects.
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

/** Whether every line is one member, which is an object. The bracket before them moves each by one. */
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

/** A break that stands inside of an object became a comma, too, and the text may still be JSON. */
function hasBreakInside(tape: JsonTape, lines: string): boolean {
  let breaks = 0;
  for (let at = lines.indexOf("\n"); at >= 0; at = lines.indexOf("\n", at + 1)) breaks++;
  return breaks !== membersOf(tape, 0).length - 1;
}
