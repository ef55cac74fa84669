import { NO_NUMBER, type Page } from "./pieces.ts";

/** Before a line: how its number is written, and the sign behind it. */
export const KEPT_NUMBER = /^(L| *|0*)([1-9]\d{0,6})(:| ?\|)/;
/** Fewer lines that count may be records. */
const LEAST_RUN = 10;
/** A text that shows fewer of its lines with numbers is a manual that quotes a listing. */
const LEAST_SHARE = 1 / 3;
/** Longer than any number with all that stands around it. */
const LONGEST = 24;

const LINE_BREAK = 10;
const SPACE = 32;
const LETTER_L = 76;
/** Behind its number, with one blank or none between, a line is empty or indented, as a record and a value are not. */
const OF_TEXT = /^(?: {2}| ?\t| ?$)/;

type Gutter = { readonly number: number; readonly written: string; readonly sign: string };

/**
 * Finds line numbers that are not known to be padding and stay as they are: `00001| `, `1: `, `L1: `, `1 | `. They tell
 * only what a line says from where it stands, so that it is found again under another number. One run alone, each number
 * written as the first one is, and no other line of the text that looks so: a number names one line. Sets `number` and
 * `body` of its lines, and answers whether there are any.
 */
export function findKeptGutter(page: Page): boolean {
  const { pieces, text } = page;
  let start: Gutter | null = null;
  let first = page.first;
  let count = 0;
  let lines = 0;
  let isText = false;
  for (let piece = page.first; piece < page.end; piece++) {
    if (isLineStart(page, piece)) lines++;
    const gutter = readGutter(page, piece);
    if (gutter === null) continue;
    if (pieces.number[piece] !== NO_NUMBER || !isWhole(page, piece)) return false;
    if (start === null) {
      start = gutter;
      first = piece;
    } else if (piece !== first + count || !isNext(start, gutter, count)) return false;
    count++;
    const body = (pieces.start[piece] as number) + gutter.written.length + gutter.sign.length;
    isText ||= OF_TEXT.test(text.slice(body, Math.min(body + 2, pieces.end[piece] as number)));
  }
  if (start === null || !isText || count < LEAST_RUN || count < lines * LEAST_SHARE) return false;
  for (let at = 0; at < count; at++) {
    const width = writtenAs(start, start.number + at).length + start.sign.length;
    pieces.number[first + at] = start.number + at;
    pieces.body[first + at] = (pieces.start[first + at] as number) + width;
  }
  return true;
}

/** Numbers from one to another as the first of them is written, with its sign behind them. */
export function keptRange(gutter: string, last: number): string {
  return gutter.replace(/\d+/, (first) => `${first}-${String(last).padStart(first.length, "0")}`);
}

function isLineStart({ text, pieces }: Page, piece: number): boolean {
  const start = pieces.start[piece] as number;
  return start === 0 || text.charCodeAt(start - 1) === LINE_BREAK;
}

/** Whether the line ends where the piece does. */
function isWhole({ text, pieces }: Page, piece: number): boolean {
  const end = pieces.end[piece] as number;
  return end === text.length || text.charCodeAt(end) === LINE_BREAK;
}

/** Null where no number stands before the line. */
function readGutter(page: Page, piece: number): Gutter | null {
  const { text, pieces } = page;
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  let at = start;
  while (at < end && text.charCodeAt(at) === SPACE) at++;
  if (text.charCodeAt(at) === LETTER_L) at++;
  if (at >= end || !isDigit(text.charCodeAt(at))) return null;
  if (!isLineStart(page, piece)) return null;
  const found = KEPT_NUMBER.exec(text.slice(start, Math.min(end, start + LONGEST)));
  if (found === null) return null;
  const [, before = "", digits = "", sign = ""] = found;
  return { number: Number(digits), written: before + digits, sign };
}

function isNext(start: Gutter, { number, written, sign }: Gutter, count: number): boolean {
  return (
    number === start.number + count &&
    sign === start.sign &&
    written === writtenAs(start, start.number + count)
  );
}

/** A longer number takes the place of the blanks or zeros before the first one. */
function writtenAs({ written }: Gutter, number: number): string {
  const before = written.charAt(0);
  return before === "L" ? `L${number}` : String(number).padStart(written.length, before);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
