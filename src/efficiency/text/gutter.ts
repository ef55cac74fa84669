import type { Voice } from "../fences/scan-fences.ts";
import { isBlank } from "./character-codes.ts";
import { NO_NUMBER, PADDED, type Page } from "./pieces.ts";

/** So many consecutive numbers in front of lines are a gutter and no accident. */
const LEAST_RUN = 3;
/** A text that shows fewer of its lines with numbers is a manual that quotes a listing, and may be edited. */
const LEAST_SHARE = 1 / 3;
/** Nobody shows a model a file whose lines need more. */
const MOST_DIGITS = 7;

const LINE_BREAK = 10;
const TAB = 9;
const SPACE = 32;
const PLUS = 43;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
/** Between the columns of a table, and behind line numbers. */
const COLUMN_SIGNS: ReadonlySet<number> = new Set([TAB, 124, 0x2502]);
/** Behind a line number and nothing else. */
const ARROW = 0x2192;
/** Of the numbers that `cat -n` and `nl` write. */
const LISTING_WIDTH = 6;

/** Before what a tool answered, on the screens of coding agents: these set their numbers apart by blanks. */
const SCREEN = 0x23bf;

/** What stands before a line's own words; the separator is SPACE, too, where a line ends with its number. */
type Gutter = { padding: number; width: number; number: number; separator: number };

/**
 * Finds the gutters of line numbers: consecutive numbers, right-aligned or not padded at all, with the same
 * separator behind each. Behind an arrow that is proof enough, but not without padding in what a program said. Elsewhere
 * the numbers of records and the keys of a map count, too, and their indent is code: a gutter is seen to be right-aligned,
 * or as wide as a listing's, or stands before what is no table in what a reader of files shows, where a file may begin;
 * data has none. What an agent's screen showed is no such file. Sets `number` and `body` of their lines, and answers how
 * many lines these are.
 */
export function findGutters(page: Page, voice: Voice = "tool"): number {
  if (voice === "data") return 0;
  const last: Gutter = { padding: 0, width: 0, number: 0, separator: 0 };
  const next: Gutter = { padding: 0, width: 0, number: 0, separator: 0 };
  const isScreen = firstSign(page.text) === SCREEN;
  let found = 0;
  for (let at = page.first; at < page.end; ) {
    const first = at++;
    if (!readGutter(page, first, last) || (last.separator === SPACE && !isScreen)) continue;
    const { separator, number } = last;
    const mayBeGutter = !hasHead(page, first, separator);
    let isProved = isArrow(last, voice) || (last.padding > 0 && (isScreen || isListing(last)));
    setNumber(page, first, last);
    while (at < page.end && readGutter(page, at, next) && isNext(last, next)) {
      isProved ||= isAligned(last, next);
      last.number = next.number;
      last.width = next.width;
      last.padding = next.padding;
      setNumber(page, at++, next);
    }
    const isLong = mayBeGutter && at - first >= LEAST_RUN;
    if (isLong && !isProved && (voice === "reader" || voice === "file") && COLUMN_SIGNS.has(separator))
      isProved = isText({ page, first, end: at }, separator, voice === "file" && number === 1);
    if (isLong && isProved) found += at - first;
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
  return into.separator === SPACE || code === ARROW || COLUMN_SIGNS.has(code);
}

/** What a program counts may lead to something as well, but nobody sets that right-aligned. */
function isArrow({ separator, padding }: Gutter, voice: Voice): boolean {
  return separator === ARROW && (voice !== "tool" || padding > 0);
}

function isListing({ width, separator }: Gutter): boolean {
  return width === LISTING_WIDTH && COLUMN_SIGNS.has(separator);
}

/** A line above with the same sign, but no number, names the columns of a table. */
function hasHead({ text, pieces, first }: Page, piece: number, separator: number): boolean {
  if (piece === first || !COLUMN_SIGNS.has(separator)) return false;
  const line = text.slice(pieces.start[piece - 1], pieces.end[piece - 1]);
  return pieces.number[piece - 1] === NO_NUMBER && line.includes(String.fromCharCode(separator));
}

type Run = { readonly page: Page; readonly first: number; readonly end: number };

/**
 * Whether numbered lines hold a text, which has blanks where a row has none. Rows of a table all have as many fields, unless
 * they leave some out at their end; with one each they may be either, and are a text if a file begins with them.
 */
function isText({ page, first, end }: Run, separator: number, isBeginning: boolean): boolean {
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

/** One blank, and a word at once: where all lines have it, it belongs to their numbers. */
function isBehindBlank(text: string, start: number, end: number): boolean {
  return start + 1 < end && text.charCodeAt(start) === SPACE && !isBlank(text.charCodeAt(start + 1));
}

/** Or blank; in a comparison of two files, too. */
function isIndented(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  const at = code === PLUS || code === MINUS ? start + 1 : start;
  return at >= end || isBlank(text.charCodeAt(at));
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
