import { isDigit } from "./character-codes.ts";
import { addPiece, type Page, type Pieces } from "./pieces.ts";

/** Longer lines are cut at the members of the value that they probably contain. */
export const LONG_LINE = 200;

const SPACE = 32;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING = 1;
const CLOSING = 2;
const QUOTE = 3;
const KINDS = kinds();

/**
 * The lines of a text; after a final line break there is an empty last line. With `hasMembers`, long lines are cut into
 * members; the separators between these belong to no piece. Null if there are too many.
 */
export function cutLines(pieces: Pieces, text: string, hasMembers = false): Page | null {
  const first = pieces.count;
  const limit = first + mostPieces(text);
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    const isCut = hasMembers && end - at > LONG_LINE && !startsWithNumber(text, at);
    const from = isCut ? cutLongLine(pieces, text, { start: at, end, limit }) : at;
    addPiece(pieces, from, end);
    at = end + 1;
    if (pieces.count > limit) return giveUp(pieces, first);
  }
  return { text, pieces, first, end: pieces.count };
}

/** Nobody reads text with more pieces, and each would cost more than its characters. */
export function mostPieces(text: string): number {
  return 256 + text.length / 4;
}

export function giveUp(pieces: Pieces, first: number): null {
  pieces.count = first;
  return null;
}

type LongLine = { readonly start: number; readonly end: number; readonly limit: number };

/**
 * Cuts after a comma or an opening bracket and before a closing one, outside of quotes, so that truncated values and
 * languages other than JSON are cut as well. Returns where the rest of the line begins.
 */
export function cutLongLine(pieces: Pieces, text: string, line: LongLine): number {
  let from = line.start;
  let valueEnd = endOfOneValue(text, line);
  for (let at = from; at < line.end && pieces.count <= line.limit; at++) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === 0) continue;
    if (kind === QUOTE) {
      if (isInWord(text, at)) continue;
      at = endOfQuoted(text, at, line.end);
    } else if (kind === CLOSING) {
      // The line is not a single value: a log entry stays whole, so that it can be folded with others.
      if (from === line.start && at < valueEnd) {
        valueEnd = line.end;
        continue;
      }
      if (at > from) addPiece(pieces, from, at);
      from = at;
    } else {
      const isComma = text.charCodeAt(at) === COMMA;
      const next = isComma && text.charCodeAt(at + 1) === SPACE ? at + 2 : at + 1;
      if (next >= line.end || !isMemberStart(text.charCodeAt(next))) continue;
      addPiece(pieces, from, isComma ? at : next);
      from = next;
      at = next - 1;
    }
  }
  return from;
}

/** Where the closing brackets at the end of the line begin, if the line starts with an opening one; else its end. */
function endOfOneValue(text: string, { start, end }: LongLine): number {
  if (text.charCodeAt(start) === COMMA || kindOf(text.charCodeAt(start)) !== OPENING) return end;
  let at = end;
  while (kindOf(text.charCodeAt(at - 1)) === CLOSING) at--;
  return at;
}

/** The index of the closing quote, or the end of the line. */
export function endOfQuoted(text: string, start: number, lineEnd: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === BACKSLASH) at++;
  }
  return lineEnd;
}

/** True after a letter: an apostrophe opens no quotes. */
function isInWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1) | 32;
  return before >= 97 && before <= 122;
}

/** Members start with a quote or a bracket. */
function isMemberStart(code: number): boolean {
  const kind = kindOf(code);
  return kind === QUOTE || (kind === OPENING && code !== COMMA);
}

/** A line that may have a gutter number stays whole. */
function startsWithNumber(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  return isDigit(text.charCodeAt(at));
}

function kindOf(code: number): number {
  return code < 126 ? (KINDS[code] as number) : 0;
}

function kinds(): Uint8Array {
  const table = new Uint8Array(126);
  for (const sign of ",{[") table[sign.charCodeAt(0)] = OPENING;
  for (const sign of "}]") table[sign.charCodeAt(0)] = CLOSING;
  for (const sign of "\"'") table[sign.charCodeAt(0)] = QUOTE;
  return table;
}
