import { NO_NUMBER, PADDED, type Page } from "./pieces.ts";

/** So many consecutive numbers in front of lines are a gutter and no accident. */
const LEAST_RUN = 3;
/** A text that shows fewer of its lines with numbers is a manual that quotes a listing, and may be edited. */
const LEAST_SHARE = 1 / 3;
/** Nobody shows a model a file whose lines need more. */
const MOST_DIGITS = 7;

const LINE_BREAK = 10;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
/** Tab, colon, bar, arrow and the bar of a box: what tools write behind a line number. */
const SIGNS: ReadonlySet<number> = new Set([9, COLON, 124, 0x2192, 0x2502]);

/** Keys of maps and rows of tables have these behind their numbers, too. */
const COMMON: ReadonlySet<number> = new Set([COLON, SPACE]);

/** Before what a tool answered, on the screens of coding agents. */
const SCREEN = 0x23bf;

/** What stands before a line's own words; the separator is SPACE, too, where a line ends with its number. */
type Gutter = { padding: number; width: number; number: number; separator: number };

/**
 * Finds the gutters of line numbers: consecutive numbers, right-aligned or not padded at all, with the same
 * separator behind each. Behind some signs that is no proof: keys of a map count, too, and their indent is code.
 * What an agent's screen showed is no such file. Sets `number` and `body` of their lines, and answers how many lines these are.
 */
export function findGutters(page: Page): number {
  const last: Gutter = { padding: 0, width: 0, number: 0, separator: 0 };
  const next: Gutter = { padding: 0, width: 0, number: 0, separator: 0 };
  const isScreen = firstSign(page.text) === SCREEN;
  let found = 0;
  for (let at = page.first; at < page.end; ) {
    const first = at++;
    if (!readGutter(page, first, last)) continue;
    let isGutter = !COMMON.has(last.separator) || (isScreen && last.padding > 0);
    setNumber(page, first, last);
    while (at < page.end && readGutter(page, at, next) && isNext(last, next)) {
      isGutter ||= isAligned(last, next);
      last.number = next.number;
      last.width = next.width;
      last.padding = next.padding;
      setNumber(page, at++, next);
    }
    if (isGutter && at - first >= LEAST_RUN) found += at - first;
    else for (let piece = first; piece < at; piece++) forgetNumber(page, piece);
  }
  if (found === 0 || found >= countLines(page) * LEAST_SHARE) return found;
  forgetGutters(page);
  return 0;
}

/** A long line may have many pieces. */
function countLines(page: Page): number {
  let lines = 0;
  for (let piece = page.first; piece < page.end; piece++) if (isLineStart(page, piece)) lines++;
  return lines;
}

function isLineStart({ text, pieces }: Page, piece: number): boolean {
  const start = pieces.start[piece] as number;
  return start === 0 || text.charCodeAt(start - 1) === LINE_BREAK;
}

function firstSign(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) === SPACE) at++;
  return text.charCodeAt(at);
}

/** Answers false where no number stands before the line. */
function readGutter(page: Page, piece: number, into: Gutter): boolean {
  const { text, pieces } = page;
  if (pieces.number[piece] !== NO_NUMBER || !isLineStart(page, piece)) return false;
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  let at = start;
  let code = at < end ? text.charCodeAt(at) : SPACE;
  while (code === SPACE && at < end) code = text.charCodeAt(++at);
  // Numbers are written anew from their value: one with leading zeros would come back as another.
  if (code <= ZERO || code > NINE) return false;
  into.padding = at - start;
  let number = 0;
  while (code >= ZERO && code <= NINE && at < end) {
    number = number * 10 + code - ZERO;
    code = text.charCodeAt(++at);
  }
  into.width = at - start;
  into.number = number;
  into.separator = at < end ? code : SPACE;
  if (into.width - into.padding > MOST_DIGITS) return false;
  if (into.separator === SPACE) return true;
  // 10:15 is a time.
  if (code === COLON && isDigit(text.charCodeAt(at + 1))) return false;
  return SIGNS.has(code);
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whether the next line goes on with the run. */
function isNext(last: Gutter, next: Gutter): boolean {
  if (next.number !== last.number + 1 || next.separator !== last.separator) return false;
  return next.width === last.width || next.padding + last.padding === 0;
}

/** A longer number takes the place of a blank: code has one indent, whatever its numbers are. */
function isAligned(last: Gutter, next: Gutter): boolean {
  return next.width === last.width && next.padding < last.padding;
}

function setNumber({ pieces }: Page, piece: number, { separator, number, width, padding }: Gutter): void {
  const hasSign = separator !== SPACE;
  pieces.number[piece] = hasSign ? number : PADDED;
  pieces.body[piece] = (pieces.start[piece] as number) + (hasSign ? width + 1 : padding);
}

function forgetGutters(page: Page): void {
  for (let piece = page.first; piece < page.end; piece++) {
    const number = page.pieces.number[piece] as number;
    if (number >= 0 || number === PADDED) forgetNumber(page, piece);
  }
}

function forgetNumber({ pieces }: Page, piece: number): void {
  pieces.number[piece] = NO_NUMBER;
  pieces.body[piece] = pieces.start[piece] as number;
}
