import { isBlank } from "./character-codes.ts";
import type { Page } from "./pieces.ts";

const SPACE = 32;
const PLUS = 43;
const MINUS = 45;

/** Numbered lines of a page, from `first` to before `end`, with `body` set. */
export type Run = { readonly page: Page; readonly first: number; readonly end: number };

/**
 * Whether numbered lines contain text, not a table. Text has indented or blank lines. Rows of a table all have the
 * same number of fields, unless trailing ones are left out; lines with a single field may be either, and count as
 * text at the beginning of a file.
 */
export function isText({ page, first, end }: Run, separator: number, isBeginning: boolean): boolean {
  const { text, pieces } = page;
  const sign = String.fromCharCode(separator);
  let fields = 0;
  let isRagged = false;
  let hasBlank = false;
  let isSetApart = true;
  for (let piece = first; piece < end; piece++) {
    const body = pieces.body[piece] as number;
    const lineEnd = pieces.end[piece] as number;
    let count = 1;
    for (let at = text.indexOf(sign, body); at >= 0 && at < lineEnd; at = text.indexOf(sign, at + 1)) count++;
    isRagged ||= piece > first && count !== fields;
    fields = count;
    hasBlank ||= isIndented(text, body, lineEnd);
    isSetApart &&= isBehindBlank(text, body, lineEnd);
  }
  const isLines = !isRagged && fields === 1;
  return (hasBlank && !isSetApart && (isRagged || isLines)) || (isBeginning && isLines);
}

/** True if exactly one blank precedes the word: if all lines have it, it belongs to their numbers. */
function isBehindBlank(text: string, start: number, end: number): boolean {
  return start + 1 < end && text.charCodeAt(start) === SPACE && !isBlank(text.charCodeAt(start + 1));
}

/** True for blank lines as well, and after the sign of a diff line. */
function isIndented(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  const at = code === PLUS || code === MINUS ? start + 1 : start;
  return at >= end || isBlank(text.charCodeAt(at));
}
