import { LEAST_GAIN_TOKENS } from "../compaction.ts";
import { isBlank, isDigit } from "../text/character-codes.ts";
import { EACH } from "../text/marks.ts";
import type { Page } from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { areEntries, hasLevel, hasRights, isNumbered } from "./entry-lines.ts";
import {
  createColumns,
  findHoles,
  type Hole,
  holeEnd,
  holeStart,
  joinHoles,
  narrow,
  readColumns,
  sharedSize,
} from "./line-columns.ts";
import { endOfPath, isOwnLine } from "./own-lines.ts";

/** The most lines of a group. */
const MOST_LINES = 512;
const LEAST_LINES = 3;
const LEAST_LINE = 3;
/** Lines that share fewer characters have no common form. */
const LEAST_SHARED = 3;
/** About what the header line costs, apart from the shared text, in characters. */
const HEAD = 40;
/** What a separator costs, in characters. */
const BETWEEN = 4;
/** What is omitted must be longer than the header line. */
const LEAST_SAVED = 60;
/** How far to look ahead for lines that share more with each other. */
const AHEAD = 16;

/** Placeholder for what differs between the lines. */
const HOLE = "…";
/**
 * Separators of these parts: the first that occurs neither in them nor in the shared text, or at least not in them.
 */
const SIGNS = ["|", ";", "~", "^", "¦"];

const DIGIT = /\d/;
/** A line number with a column is never longer. */
const MOST_NUMBERED = 24;
/** How much of a line is read for its beginning, and for its last character. */
const MOST_OPENING = 400;
const MOST_ENDING = 64;

/** Reused: the first line of a group, another line of it, and two lines that are compared. */
const columns = {
  head: createColumns(),
  line: createColumns(),
  next: createColumns(),
  other: createColumns(),
};

/** Lines with a common form, though it may not be worth a fold. */
type FormGroup = {
  readonly count: number;
  readonly fold: Replacement | null;
  /** About how many characters the fold saves. */
  readonly saved: number;
};

type FormFinder = {
  /** The group that starts at `first`; the caller continues after it, folded or not. */
  at(first: number): FormGroup;
};

/**
 * Consecutive lines of one form (entries of a log, a build, a directory listing) become a header line with what they
 * share and placeholders for what differs, followed by one line each with the differing parts, separated by a sign.
 * Only if they start with a time or the like: statements of a program stay whole. Inverse: `expandLines` of the
 * tests. Bound: every line is compared with the first of its group and with the next line, over a bounded number of
 * characters.
 */
export function createFormFinder(page: Page, isFree: (piece: number) => boolean): FormFinder {
  /** What each line shares with the next one, plus one; 0 if not computed yet. */
  const pairs = new Int32Array(page.end - page.first);

  function pairAt(piece: number): number {
    const known = pairs[piece - page.first] as number;
    if (known > 0) return known - 1;
    const size = isLine(piece) && isLine(piece + 1) ? sharedByPair(page, piece) : 0;
    pairs[piece - page.first] = size + 1;
    return size;
  }

  function isLine(piece: number): boolean {
    return piece < page.end && isOwnLine(page, piece, LEAST_LINE) && isFree(piece);
  }

  /** Whether the lines from here on share so much more with each other that they are better folded separately. */
  function startsOther(piece: number, shared: number): boolean {
    let least = Number.POSITIVE_INFINITY;
    for (let lines = 1; lines < AHEAD && least > shared; lines++) {
      least = Math.min(least, pairAt(piece + lines - 1));
      if (lines * (least - shared) > shared + HEAD) return true;
    }
    return false;
  }

  /** How many lines are better folded together, and what they share; `columns.head` is narrowed to that. */
  function count(first: number) {
    const { head, line } = columns;
    readColumns(page, first, head);
    let shared = 0;
    let count = 1;
    const limit = Math.min(page.end, first + MOST_LINES);
    for (let at = first + 1; at < limit && isLine(at) && mayHaveForm(page, at); at++) {
      readColumns(page, at, line);
      const size = sharedSize(page.text, head, line);
      if (size < LEAST_SHARED || (count - 1) * (shared - size) > size + HEAD) break;
      if (startsOther(at, size)) break;
      narrow(page.text, head, line);
      shared = size;
      count++;
    }
    return { count, shared };
  }

  return {
    at(first) {
      if (!isFree(first) || !mayHaveForm(page, first)) return { count: 1, fold: null, saved: 0 };
      const { count: lines, shared } = count(first);
      const isWorthIt = lines >= LEAST_LINES && (lines - 1) * shared >= LEAST_SAVED + HEAD;
      return (isWorthIt ? writeForm(page, first, lines) : null) ?? { count: lines, fold: null, saved: 0 };
    },
  };
}

function sharedByPair(page: Page, piece: number): number {
  const { next, other } = columns;
  readColumns(page, piece, next);
  readColumns(page, piece + 1, other);
  return sharedSize(page.text, next, other);
}

/** False for what may be code: indented lines, lines with diff signs, and lines after a line number or a path. */
function mayHaveForm(page: Page, piece: number): boolean {
  const { text, pieces } = page;
  if (!isOwnLine(page, piece, LEAST_LINE)) return false;
  const start = pieces.start[piece] as number;
  const code = text.charCodeAt(start);
  if (isBlank(code) || code === 43 || code === 60 || code === 62) return false;
  if (code === 45) return hasRights(text.slice(start, start + 10));
  if (isDigit(code) && isNumbered(text.slice(start, start + MOST_NUMBERED))) return false;
  return endOfPath(text, start, pieces.end[piece] as number) === start;
}

function writeForm(page: Page, first: number, count: number): FormGroup | null {
  const { text, pieces } = page;
  const { head } = columns;
  const holes = joinHoles(text, findHoles(page, head, { first, count }), head);
  const parts: string[] = [];
  let from = head.start;
  for (const hole of holes) {
    parts.push(text.slice(from, holeStart(head, hole)));
    from = holeEnd(head, hole, head.count);
  }
  parts.push(text.slice(from, head.end));
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const saved = (count - 1) * size - count * (holes.length - 1) * BETWEEN - HEAD;
  if (holes.length === 0 || saved < LEAST_SAVED || parts.some((part) => part.includes(HOLE))) return null;
  const rows = ownWords(page, { first, count, holes });
  const sign = holes.length === 1 ? "" : signBetween(parts, rows);
  if (sign === undefined) return null;
  const last = holes[0]?.last ?? head.count;
  const opening = text.slice(head.start, last < head.count ? head.ends[last] : head.start + MOST_OPENING);
  if (!hasLevel(opening) && !rows.every(([start = ""]) => DIGIT.test(start))) return null;
  const endings = rows.map((_, at) => endingOf(page, first + at));
  if (!areEntries({ opening, parts, endings })) return null;
  const how = sign === "" ? "" : `, own words split by ${sign}`;
  const written = `${EACH}${count} lines${how}: ${parts.join(HOLE)}\n${rows.map((row) => row.join(sign)).join("\n")}`;
  const to = pieces.end[first + count - 1] as number;
  const tokens = estimateTokens(text.slice(head.start, to));
  if (estimateTokens(written) + LEAST_GAIN_TOKENS > tokens) return null;
  return { count, fold: { first, count, from: head.start, to, text: written, kind: "lines" }, saved };
}

/** The last character of a line that is not blank. */
function endingOf({ text, pieces }: Page, piece: number): string {
  const end = pieces.end[piece] as number;
  return text
    .slice(Math.max(pieces.start[piece] as number, end - MOST_ENDING), end)
    .trimEnd()
    .slice(-1);
}

function signBetween(parts: readonly string[], rows: readonly (readonly string[])[]): string | undefined {
  const free = SIGNS.filter((sign) => !rows.some((row) => row.some((own) => own.includes(sign))));
  return free.find((sign) => !parts.some((part) => part.includes(sign))) ?? free[0];
}

type Form = { readonly first: number; readonly count: number; readonly holes: readonly Hole[] };

/** What each line has in the holes. */
function ownWords(page: Page, { first, count, holes }: Form): string[][] {
  const { head, line } = columns;
  const rows: string[][] = [];
  for (let at = first; at < first + count; at++) {
    readColumns(page, at, line);
    rows.push(holes.map((hole) => page.text.slice(holeStart(line, hole), holeEnd(line, hole, head.count))));
  }
  return rows;
}
