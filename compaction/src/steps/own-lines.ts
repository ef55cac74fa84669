import { isBlank, isDigit } from "../text/character-codes.ts";
import { NO_NUMBER, type Page } from "../text/pieces.ts";

const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;
/** Longer paths do not occur. */
const MOST_PATH = 512;
const BEFORE_MINUTES = /(?:^|[^\w.]|\dT|\d{4}:)\d\d?$|\d{4}$/;
const MINUTES = /^:\d\d:\d\d(?!\d)/;
const BEFORE_MONTH = /(?:^|\D)\d{4}$/;
const MONTH = /^-\d\d-\d\d(?!\d)/;
const YEAR = /^-\d{4}-\d\d-\d/;
/** Including the sign before it: no file has more lines. */
const LONGEST_NUMBER = 9;

/** Whether the piece is a whole line of at least `least` characters, in no gutter, quoted text or language fence. */
export function isOwnLine({ text, pieces }: Page, piece: number, least: number): boolean {
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  if (pieces.number[piece] !== NO_NUMBER || end - start < least) return false;
  if (start > 0 && text.charCodeAt(start - 1) !== 10) return false;
  return end === text.length || text.charCodeAt(end) === 10;
}

/** Letters, digits, and other characters of names. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    isDigit(code) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === DASH ||
    code === DOT ||
    code > 127
  );
}

/**
 * The end of the path at the start of a line of `grep -n`, before `:65:` of a match or `-66-` of a context line;
 * `start` if there is none. A path may contain any signs, also blanks. After the number comes code, which an agent
 * may edit by exact match. Bound: a limited part of the line is read.
 */
export function endOfPath(text: string, start: number, end: number): number {
  const limit = Math.min(end, start + MOST_PATH);
  let isPath = false;
  let isName = true;
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT || code === SLASH || code === BACKSLASH) isPath = true;
    else if (isBlank(code)) isPath = false;
    else if (code === COLON || code === DASH) {
      // Without an extension or a directory the name must end in a letter: dates and times also have numbers between
      // such signs.
      const isNamed = isName && code === COLON && at > start && (text.charCodeAt(at - 1) | 32) >= 97;
      if ((isPath || isNamed) && endOfNumber(text, at) > 0 && !isMoment(text, at)) return at;
    }
    if (!isWordCode(code) && code !== COLON) isName = false;
  }
  return start;
}

/** Whether this sign is part of a date or a time. */
function isMoment(text: string, at: number): boolean {
  const sign = text.charAt(at);
  const [before, behind] = [text.slice(Math.max(0, at - 11), at), text.slice(at, at + 9)];
  return sign === ":"
    ? BEFORE_MINUTES.test(before) && MINUTES.test(behind)
    : (BEFORE_MONTH.test(before) && MONTH.test(behind)) || YEAR.test(behind);
}

/** The end of the number between this sign and the next one, which must be the same; 0 if there is none. */
export function endOfNumber(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (sign !== COLON && sign !== DASH) return 0;
  let behind = at + 1;
  while (behind - at < LONGEST_NUMBER && isDigit(text.charCodeAt(behind))) behind++;
  return behind > at + 1 && text.charCodeAt(behind) === sign ? behind : 0;
}
