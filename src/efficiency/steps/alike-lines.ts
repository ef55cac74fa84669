import { EACH } from "../marks.ts";
import { NO_NUMBER, type Page } from "../pieces.ts";
import type { Replacement } from "../replacement.ts";

/** Shorter beginnings are not worth a line of their own. */
const LEAST_START = 10;
const MOST_START = 240;
const LEAST_ENDING = 4;
/** What is left out must be longer than the line that says so. */
const LEAST_SAVED = 60;
/** Lines are grouped within such a window. */
const MOST_LINES = 512;
/** Where the own words of the lines stood: the second where the lines share the first sign themselves. */
const HOLES = ["…", "[…]"];

/**
 * Lines in a row that begin alike (paths, matches in one file, entries of a log), and perhaps end alike, become
 * one line with what they share and then, line by line, what is their own. Inverse: `expandLines` of the tests.
 * Bound: lines are compared with the first of their group, over a bounded number of lines and characters; of a
 * group that saves too little, which has few lines, the next is looked at, and of one without a hole none.
 */
export function foldAlikeLines(page: Page, isFree: (piece: number) => boolean): Replacement[] {
  const found: Replacement[] = [];
  for (let at = page.first; at < page.end; ) {
    const group = groupAt(page, at, isFree);
    const written = group === null ? null : writeGroup(page, group);
    if (written !== null) found.push(written);
    at += group?.count ?? 1;
  }
  return found;
}

/** Lines from `first` on, and how many characters all of them begin and end with. */
type Group = {
  readonly first: number;
  readonly count: number;
  readonly shared: number;
  readonly ending: number;
};

function groupAt(page: Page, first: number, isFree: (piece: number) => boolean): Group | null {
  const { text, pieces } = page;
  const start = pieces.start[first] as number;
  if (!isOwnLine(page, first) || !isFree(first)) return null;
  // Indentation alone is nothing that lines share.
  const least = countBlanks(text, start) + LEAST_START;
  let shared = Math.min(MOST_START, (pieces.end[first] as number) - start);
  let best = 0;
  let bestShared = 0;
  let count = 0;
  const limit = Math.min(page.end, first + MOST_LINES);
  for (let at = first + 1; at < limit && isOwnLine(page, at) && isFree(at); at++) {
    shared = wholeWords(text, start, sharedLength(page, at, { start, limit: shared }));
    if (shared < least) break;
    if ((at - first) * shared <= best) continue;
    best = (at - first) * shared;
    bestShared = shared;
    count = at - first + 1;
  }
  if (count === 0) return null;
  const ending = sharedEnding(page, { first, count, shared: bestShared });
  if ((count - 1) * (bestShared + ending) < LEAST_SAVED) return null;
  return { first, count, shared: bestShared, ending };
}

/** A whole line with words of its own. */
function isOwnLine({ text, pieces }: Page, piece: number): boolean {
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  if (pieces.number[piece] !== NO_NUMBER || end - start < LEAST_START) return false;
  if (start > 0 && text.charCodeAt(start - 1) !== 10) return false;
  return end === text.length || text.charCodeAt(end) === 10;
}

function countBlanks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
  return at - start;
}

function sharedLength(
  { text, pieces }: Page,
  piece: number,
  other: { start: number; limit: number },
): number {
  const start = pieces.start[piece] as number;
  const limit = Math.min(other.limit, (pieces.end[piece] as number) - start);
  let size = 0;
  while (size < limit && text.charCodeAt(start + size) === text.charCodeAt(other.start + size)) size++;
  return size;
}

/** Up to behind the last sign that sets words apart: numbers and names are not torn. */
function wholeWords(text: string, start: number, size: number): number {
  let end = size;
  while (end > 0 && isWordCode(text.charCodeAt(start + end - 1))) end--;
  return end;
}

/** Letters, digits, and what stands inside names. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code > 127
  );
}

/** Null where the lines share every sign that could stand for what they do not share. */
function writeGroup(page: Page, { first, count, shared, ending }: Group): Replacement | null {
  const { text, pieces } = page;
  const from = pieces.start[first] as number;
  const to = pieces.end[first + count - 1] as number;
  const head = text.slice(from, from + shared);
  const tail = text.slice((pieces.end[first] as number) - ending, pieces.end[first]);
  const hole = HOLES.find((sign) => !head.includes(sign) && !tail.includes(sign));
  if (hole === undefined) return null;
  let written = `${EACH}${count} lines: ${head}${hole}${tail}`;
  for (let at = first; at < first + count; at++) {
    written += `\n${text.slice((pieces.start[at] as number) + shared, (pieces.end[at] as number) - ending)}`;
  }
  return { first, count, from, to, text: written, kind: "lines" };
}

/** How many characters all lines of the group end with, in whole words. */
function sharedEnding({ text, pieces }: Page, { first, count, shared }: Omit<Group, "ending">): number {
  const end = pieces.end[first] as number;
  let size = end - (pieces.start[first] as number) - shared;
  for (let at = first + 1; at < first + count && size > 0; at++) {
    const otherEnd = pieces.end[at] as number;
    size = Math.min(size, otherEnd - (pieces.start[at] as number) - shared);
    let same = 0;
    while (same < size && text.charCodeAt(end - 1 - same) === text.charCodeAt(otherEnd - 1 - same)) same++;
    size = same;
  }
  while (size > 0 && isWordCode(text.charCodeAt(end - size))) size--;
  return size < LEAST_ENDING ? 0 : size;
}
