import { isBlank, isDigit } from "./character-codes.ts";
import { isText, type Run } from "./numbered-text.ts";
import { isLineStart, NO_NUMBER, type Page, type Voice } from "./pieces.ts";

/** Numbered lists are often shorter. */
const LEAST_RUN = 5;
/** No file that is shown to a model needs more. */
const MOST_DIGITS = 7;
/** A number filled up with zeros to this width, and a blank after the separator, need no other proof. */
const FILLED_WIDTH = 5;

const SPACE = 32;
const ZERO = 48;
const COLON = 58;
const LETTER_L = 76;
const BAR = 124;
const WIDE_BAR = 0x2502;
const ARROW = 0x2192;

/** What precedes the content of a line. */
type Gutter = {
  padding: number;
  /** 1 if a letter L precedes the number. */
  letter: number;
  zeros: number;
  /** Of all of these and the digits. */
  width: number;
  number: number;
  /** Blanks between the number and the separator. */
  blanks: number;
  separator: number;
  /** Offset behind the separator. */
  end: number;
};

/**
 * Finds gutters that only some agents write: `12:`, `12: `, `L12: `, `12 | ` and `00012| `. Maps, lists and tables
 * look the same, so the lines must be text: some are indented or empty among others. Only file readers write bars in
 * this way. If a blank follows every separator, it belongs to the gutter. Sets `number` and `body` of the lines, and
 * returns how many there are. Bound: each line is read a few times.
 */
export function findLooseGutters(page: Page, voice: Voice): number {
  let found = 0;
  for (let at = page.first; at < page.end; ) {
    const first = at++;
    const start = readGutter(page, first);
    if (start === null) continue;
    const mayBeGutter =
      start.separator === COLON ? !countsFromZero(page, first) : voice === "file" && !hasHead(page, first);
    // Keys of a map are indented like this, too, but hardly ever right-aligned.
    let mayBePadded = start.separator !== COLON || start.padding === 0;
    let last: Gutter | null = start;
    while (last !== null) {
      setNumber(page, at - 1, last);
      const next: Gutter | null = at < page.end ? readGutter(page, at) : null;
      if (next !== null && isNext(last, next)) {
        mayBePadded ||= next.padding < last.padding;
        last = next;
      } else last = null;
      if (last !== null) at++;
    }
    const run = { page, first, end: at };
    const isLong = mayBeGutter && mayBePadded && !goesOn(page, first, start) && at - first >= LEAST_RUN;
    const isSpaced = isLong && dropBlanks(page, first, at);
    const isFilled = isSpaced && start.zeros > 0 && start.width === FILLED_WIDTH;
    const isIndented = voice === "file" || hasIndent(run);
    if (isLong && isIndented && (isFilled || isText(run, start.separator, false))) found += at - first;
    else for (let piece = first; piece < at; piece++) forgetNumber(page, piece);
  }
  return found;
}

/** How a line's number is written, and the separator with the blanks around it. */
type Written = { readonly name: string; readonly sign: string };

export function gutterAt({ text, pieces }: Page, piece: number): Written {
  let start = pieces.start[piece] as number;
  const body = pieces.body[piece] as number;
  while (text.charCodeAt(start) === SPACE) start++;
  let end = start + 1;
  while (end < body && isDigit(text.charCodeAt(end))) end++;
  return { name: text.slice(start, end), sign: text.slice(end, body) };
}

/** Whether it is one of these gutters: there, a blank after the separator is no indentation. */
export function isLoose({ name, sign }: Written): boolean {
  return sign.length > 1 || sign === ":" || name.startsWith("L") || name.startsWith("0");
}

/**
 * Whether a blank after the colons is known to be part of the gutter, or not to be: some line is not indented. Other
 * separators are always written with a blank.
 */
export function isClear(run: Run, { name, sign }: Written): boolean {
  if (!sign.startsWith(":") || name.startsWith("L")) return true;
  const { text, pieces } = run.page;
  for (let piece = run.first; piece < run.end; piece++) {
    const body = pieces.body[piece] as number;
    if (body < (pieces.end[piece] as number) && !isBlank(text.charCodeAt(body))) return true;
  }
  return false;
}

/** Null if the line does not start with such a number. */
function readGutter(page: Page, piece: number): Gutter | null {
  const { text, pieces } = page;
  if (pieces.number[piece] !== NO_NUMBER || !isLineStart(page, piece)) return null;
  const start = pieces.start[piece] as number;
  const lineEnd = pieces.end[piece] as number;
  let at = start;
  while (at < lineEnd && text.charCodeAt(at) === SPACE) at++;
  const padding = at - start;
  const letter = text.charCodeAt(at) === LETTER_L ? 1 : 0;
  at += letter;
  const filled = at;
  while (at < lineEnd && text.charCodeAt(at) === ZERO) at++;
  const zeros = at - filled;
  const digits = at;
  let number = 0;
  for (; at < lineEnd && at - digits <= MOST_DIGITS && isDigit(text.charCodeAt(at)); at++) {
    number = number * 10 + text.charCodeAt(at) - ZERO;
  }
  if (at === digits || at - digits > MOST_DIGITS) return null;
  const width = at - start;
  while (at < lineEnd && text.charCodeAt(at) === SPACE) at++;
  const blanks = at - start - width;
  const separator = at < lineEnd ? text.charCodeAt(at) : SPACE;
  const isBar = separator === BAR || separator === WIDE_BAR || separator === ARROW;
  const isKnown = isBar ? blanks === 1 || zeros > 0 : separator === COLON && blanks === 0;
  return isKnown ? { padding, letter, zeros, width, number, blanks, separator, end: at + 1 } : null;
}

/** Whether the next line continues the run. */
function isNext(last: Gutter, next: Gutter): boolean {
  if (next.number !== last.number + 1 || next.separator !== last.separator) return false;
  if (next.letter !== last.letter || next.blanks !== last.blanks) return false;
  return next.width === last.width || next.padding + last.padding + next.zeros + last.zeros === 0;
}

/** The two lines above: the head of a table and the line under it have the signs of its rows. */
function hasHead({ text, pieces, first }: Page, piece: number): boolean {
  for (let above = piece - 1; above >= Math.max(first, piece - 2); above--) {
    if (/[|│┼]|-\+-/.test(text.slice(pieces.start[above], pieces.end[above]))) return true;
  }
  return false;
}

/** A list of what a program counts; lines are counted from one. */
function countsFromZero({ text, pieces, first }: Page, piece: number): boolean {
  return piece > first && text.startsWith("0:", pieces.start[piece - 1]);
}

/** The lines above are a gutter with the numbers before these, written in another way: readers see only one gutter. */
function goesOn({ pieces, first }: Page, piece: number, { number }: Gutter): boolean {
  return piece > first && number > 0 && pieces.number[piece - 1] === number - 1;
}

/** Whether a line with content is indented. */
function hasIndent({ page: { text, pieces }, first, end }: Run): boolean {
  for (let piece = first; piece < end; piece++) {
    const body = text.slice(pieces.body[piece], pieces.end[piece]);
    if (body.trim() !== "" && isBlank(body.charCodeAt(0))) return true;
  }
  return false;
}

/**
 * Drops the blank after every separator, if all lines have it; those without content may have lost it. If all lines
 * are indented, a blank after a colon may as well be part of that: indentation is mostly even.
 */
function dropBlanks({ text, pieces }: Page, first: number, end: number): boolean {
  const isColon = text.charCodeAt((pieces.body[first] as number) - 1) === COLON;
  let least = Number.POSITIVE_INFINITY;
  for (let piece = first; piece < end; piece++) {
    const body = pieces.body[piece] as number;
    const lineEnd = pieces.end[piece] as number;
    let at = body;
    while (at < lineEnd && text.charCodeAt(at) === SPACE) at++;
    // A line of blanks says nothing about the indentation.
    if (at < lineEnd || at === body + 1) least = Math.min(least, at - body);
  }
  if (least === Number.POSITIVE_INFINITY || least === 0 || (isColon && least % 2 === 0)) return false;
  for (let piece = first; piece < end; piece++) {
    if (pieces.body[piece] !== pieces.end[piece]) (pieces.body[piece] as number)++;
  }
  return true;
}

function setNumber({ pieces }: Page, piece: number, { number, end }: Gutter): void {
  pieces.number[piece] = number;
  pieces.body[piece] = end;
}

function forgetNumber({ pieces }: Page, piece: number): void {
  pieces.number[piece] = NO_NUMBER;
  pieces.body[piece] = pieces.start[piece] as number;
}
