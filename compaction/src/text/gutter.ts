import { findLooseGutters } from "./loose-gutter.ts";
import { isText } from "./numbered-text.ts";
import { isLineStart, NO_NUMBER, PADDED, type Page, type Voice } from "./pieces.ts";

/** This many lines with consecutive numbers are a gutter and no accident. */
const LEAST_RUN = 3;
/** If fewer lines have numbers, the text is a document that quotes a listing, and may be edited. */
const LEAST_SHARE = 1 / 3;
/** No file that is shown to a model needs more. */
const MOST_DIGITS = 7;

const TAB = 9;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;
/** Separators after line numbers, and between the columns of a table. */
const COLUMN_SIGNS: ReadonlySet<number> = new Set([TAB, 124, 0x2502]);
/** Used after line numbers only. */
const ARROW = 0x2192;
/** The width of the numbers of `cat -n` and `nl`. */
const LISTING_WIDTH = 6;

/** Marks tool output on the screens of coding agents, which separate line numbers by blanks. */
const SCREEN = 0x23bf;

/** What precedes the content of a line; the separator is also SPACE if the line ends after its number. */
type Gutter = { padding: number; width: number; number: number; separator: number };

/**
 * Finds gutters of line numbers: consecutive numbers, right-aligned or without padding, each followed by the same
 * separator. An arrow is proof enough, except in program output without padding. With other separators, record
 * numbers and map keys look the same, and their indentation may be code; so the gutter must be visibly right-aligned,
 * or as wide as a listing's, or, in the output of a file reader, precede text that is no table. On an agent's screen
 * the separator may be a blank, and padding is proof enough. Data has no gutters. If there are none of these, looks for
 * loose ones (see `findLooseGutters`). Sets `number` and `body` of the lines, and returns how many there are.
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
  if (found === 0 && (voice === "reader" || voice === "file")) found = findLooseGutters(page, voice);
  if (found === 0 || found >= countLines(page) * LEAST_SHARE) return found;
  forgetGutters(page);
  return 0;
}

/** Counts lines, not pieces: a long line may have many. */
function countLines(page: Page): number {
  let lines = 0;
  for (let piece = page.first; piece < page.end; piece++) if (isLineStart(page, piece)) lines++;
  return lines;
}

function firstSign(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) === SPACE) at++;
  return text.charCodeAt(at);
}

/** False if the line does not start with a number. */
function readGutter(page: Page, piece: number, into: Gutter): boolean {
  const { text, pieces } = page;
  if (pieces.number[piece] !== NO_NUMBER || !isLineStart(page, piece)) return false;
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  let at = start;
  let code = at < end ? text.charCodeAt(at) : SPACE;
  while (code === SPACE && at < end) code = text.charCodeAt(++at);
  // Numbers are later written from their value: leading zeros would be lost.
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

/** A program's output may also have arrows after numbers, but never right-aligned. */
function isArrow({ separator, padding }: Gutter, voice: Voice): boolean {
  return separator === ARROW && (voice !== "tool" || padding > 0);
}

function isListing({ width, separator }: Gutter): boolean {
  return width === LISTING_WIDTH && COLUMN_SIGNS.has(separator);
}

/** A line above with the same separator, but no number, is the head of a table. */
function hasHead({ text, pieces, first }: Page, piece: number, separator: number): boolean {
  if (piece === first || !COLUMN_SIGNS.has(separator)) return false;
  const line = text.slice(pieces.start[piece - 1], pieces.end[piece - 1]);
  return pieces.number[piece - 1] === NO_NUMBER && line.includes(String.fromCharCode(separator));
}

/** Whether the next line continues the run. */
function isNext(last: Gutter, next: Gutter): boolean {
  if (next.number !== last.number + 1 || next.separator !== last.separator) return false;
  return next.width === last.width || next.padding + last.padding === 0;
}

/** True if a longer number replaces padding: indented code keeps its indent whatever its numbers are. */
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
