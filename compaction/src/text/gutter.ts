import { isBlank, isDigit } from "./character-codes.ts";
import { isLineStart, NO_NUMBER, PADDED, type Page } from "./pieces.ts";

/** This many lines with consecutive numbers are a gutter and no accident; more where lists look the same. */
const LEAST_RUN = 3;
const LEAST_LIST = 10;
/** If fewer lines have numbers, the text is a document that quotes a listing, and may be edited. */
const LEAST_SHARE = 1 / 3;
/** No file that is shown to a model needs more. */
const MOST_DIGITS = 7;

const TAB = 9;
const SPACE = 32;
const ZERO = 48;
/** With a blank behind it; maps and lists look the same. */
const COLON = 58;
/** With a blank before and behind it; tables look the same. */
const BAR = 124;
/** Used after line numbers only. */
const ARROW = 0x2192;
/** The width of the numbers of `cat -n` and `nl`. */
const LISTING_WIDTH = 6;
/** Marks tool output on the screens of coding agents, which separate line numbers by blanks. */
const SCREEN = 0x23bf;

/** What precedes the content of a line; the separator is also SPACE if the line ends after its number. */
type Gutter = { padding: number; width: number; number: number; separator: number };

/** Quick checks: most texts have no such line, and few that have one pad its number. */
const MAY_HAVE = /^ *[1-9]\d{0,6}(?:[\t\u2192]|: | \| )/m;
const MAY_PAD = /^ +[1-9]\d{0,6}[\t\u2192]/m;

export function mayHavePadding(text: string): boolean {
  return firstSign(text) === SCREEN || MAY_PAD.test(text);
}

/**
 * Finds gutters of line numbers: consecutive numbers, right-aligned or without padding, each followed by the same
 * separator. An arrow is proof enough. Before a tab, record numbers look the same, so the gutter must be visibly
 * right-aligned, or as wide as a listing's, or precede text that is no table; before a colon and a blank, it must
 * precede such text, and so it must before a bar. On an agent's screen the separator may be a blank, and padding is proof enough. Sets `number` and `body` of the lines, and returns how many there are.
 */
export function findGutters(page: Page): number {
  const isScreen = firstSign(page.text) === SCREEN;
  if (!isScreen && !MAY_HAVE.test(page.text)) return 0;
  const last: Gutter = { padding: 0, width: 0, number: 0, separator: 0 };
  const next: Gutter = { padding: 0, width: 0, number: 0, separator: 0 };
  let found = 0;
  for (let at = page.first; at < page.end; ) {
    const first = at++;
    if (!readGutter(page, first, last) || (last.separator === SPACE && !isScreen)) continue;
    const { separator } = last;
    const mayBeGutter = !hasHead(page, first, separator);
    const isList = separator === COLON || separator === BAR;
    let isProved = separator === ARROW || (!isList && last.padding > 0 && (isScreen || isListing(last)));
    setNumber(page, first, last);
    while (at < page.end && readGutter(page, at, next) && isNext(last, next)) {
      // A longer number takes the place of padding: indented code keeps its indent whatever its numbers are.
      isProved ||= !isList && next.width === last.width && next.padding < last.padding;
      last.number = next.number;
      last.width = next.width;
      last.padding = next.padding;
      setNumber(page, at++, next);
    }
    const isLong = mayBeGutter && at - first >= (isList ? LEAST_LIST : LEAST_RUN);
    const mayBeText = separator === TAB || separator === BAR || (separator === COLON && last.padding === 0);
    if (isLong && (isProved || (mayBeText && isText(page, first, at, separator === BAR ? BAR : TAB))))
      found += at - first;
    else for (let piece = first; piece < at; piece++) forgetNumber(page, piece);
  }
  if (found === 0 || found >= countLines(page) * LEAST_SHARE) return found;
  for (let piece = page.first; piece < page.end; piece++) {
    const number = page.pieces.number[piece] as number;
    if (number >= 0 || number === PADDED) forgetNumber(page, piece);
  }
  return 0;
}

/** What stands between the number and the content of a numbered line. */
export function signOf({ text, pieces }: Page, piece: number): string {
  const body = pieces.body[piece] as number;
  return text.slice(
    body - sizeOfSign(text.charCodeAt(body - 1) === SPACE ? text.charCodeAt(body - 2) : 0),
    body,
  );
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
  while (at < end && text.charCodeAt(at) === SPACE) at++;
  into.padding = at - start;
  let number = 0;
  for (; at < end && isDigit(text.charCodeAt(at)); at++) {
    number = number * 10 + text.charCodeAt(at) - ZERO;
    // Numbers are later written from their value: leading zeros would be lost.
    if (number === 0) return false;
  }
  into.width = at - start;
  into.number = number;
  into.separator = at < end ? text.charCodeAt(at) : SPACE;
  if (text.startsWith(" | ", at) && at + 2 < end) into.separator = BAR;
  const digits = into.width - into.padding;
  if (digits === 0 || digits > MOST_DIGITS) return false;
  const { separator } = into;
  if (separator === COLON) return at + 1 < end && text.charCodeAt(at + 1) === SPACE;
  return separator === SPACE || separator === ARROW || separator === TAB || separator === BAR;
}

function isListing({ width, separator }: Gutter): boolean {
  return width === LISTING_WIDTH && separator === TAB;
}

/** A line above with the same separator, but no number, is the head of a table. */
function hasHead({ text, pieces, first }: Page, piece: number, separator: number): boolean {
  if (piece === first || pieces.number[piece - 1] !== NO_NUMBER) return false;
  const above = text.slice(pieces.start[piece - 1], pieces.end[piece - 1]);
  return (separator === TAB && above.includes("\t")) || (separator === BAR && above.includes("|"));
}

/** Whether the next line continues the run. */
function isNext(last: Gutter, next: Gutter): boolean {
  if (next.number !== last.number + 1 || next.separator !== last.separator) return false;
  return next.width === last.width || next.padding + last.padding === 0;
}

/** Whether numbered lines contain text, not a table: some are indented or empty, and not all have as many fields. */
function isText({ text, pieces }: Page, first: number, end: number, cell: number): boolean {
  let fields = 0;
  let isRagged = false;
  let hasBlank = false;
  for (let piece = first; piece < end && !(hasBlank && isRagged); piece++) {
    const body = pieces.body[piece] as number;
    const lineEnd = pieces.end[piece] as number;
    let count = 1;
    for (let at = body; at < lineEnd; at++) if (text.charCodeAt(at) === cell) count++;
    isRagged ||= piece > first && count !== fields;
    fields = count;
    hasBlank ||= body === lineEnd || isBlank(text.charCodeAt(body));
  }
  return hasBlank && (isRagged || fields === 1);
}

function setNumber({ pieces }: Page, piece: number, { separator, number, width, padding }: Gutter): void {
  const hasSign = separator !== SPACE;
  pieces.number[piece] = hasSign ? number : PADDED;
  pieces.body[piece] = (pieces.start[piece] as number) + (hasSign ? width + sizeOfSign(separator) : padding);
}

/** With the blanks that belong to it. */
function sizeOfSign(separator: number): number {
  if (separator === BAR) return 3;
  return separator === COLON ? 2 : 1;
}

function forgetNumber({ pieces }: Page, piece: number): void {
  pieces.number[piece] = NO_NUMBER;
  pieces.body[piece] = pieces.start[piece] as number;
}
