import { LEAST_GAIN_TOKENS } from "../compaction.ts";
import { isBlank } from "../text/character-codes.ts";
import { EACH } from "../text/marks.ts";
import type { Page } from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import { endOfPlace } from "./found-lines.ts";
import { createFormFinder } from "./line-forms.ts";
import { endOfNumber, endOfPath, isOwnLine, isWordCode } from "./own-lines.ts";

/** Shorter common beginnings are not worth a header line. */
const LEAST_START = 10;
const MOST_START = 240;
const LEAST_ENDING = 4;
/** What is omitted must be longer than the header line. */
const LEAST_SAVED = 60;
/** The most lines of a group. */
const MOST_LINES = 512;
/** Placeholder for what differs between the lines: the second one if the common part contains the first. */
const HOLES = ["…", "[…]"];

/** Which lines may be folded, and how. */
type FreeLines = {
  readonly isFree: (piece: number) => boolean;
  /** True for search results: they may be code, except for the path before it. */
  readonly areFound: boolean;
};

/**
 * Consecutive lines with a common beginning (paths, matches in one file, log entries), and perhaps a common end,
 * become one header line with what they share and then one line each with what differs. Inverse: `expandLines` of the
 * tests. Bound: lines are compared with the first of their group, over a bounded number of lines and characters. If a
 * group saves too little, which means few lines, the scan continues at the next line; if no placeholder is free,
 * after the group.
 */
export function foldAlikeLines(page: Page, lines: FreeLines): Replacement[] {
  const found: Replacement[] = [];
  for (let at = page.first; at < page.end; ) {
    const group = groupAt(page, at, lines);
    const written = group === null ? null : writeGroup(page, group);
    if (written !== null) found.push(written);
    at += group?.count ?? 1;
  }
  return found;
}

/** The same for lines of one form, if that saves more than folding by their beginning and end. */
export function foldForms(page: Page, lines: FreeLines): Replacement[] {
  const found: Replacement[] = [];
  const forms = createFormFinder(page, lines.isFree);
  for (let at = page.first; at < page.end; ) {
    const { count, fold, saved } = forms.at(at);
    const group = fold === null ? null : groupAt(page, at, lines);
    if (fold !== null && (group === null || savedBy(group, count) < saved)) found.push(fold);
    at += count;
  }
  return found;
}

/** About how many characters a group saves, on at most `most` of its lines. */
function savedBy({ count, shared, ending }: Group, most: number): number {
  return (Math.min(count, most) - 1) * (shared + ending);
}

/** `count` lines from `first` on, and how many characters all of them begin and end with. */
type Group = {
  readonly first: number;
  readonly count: number;
  readonly shared: number;
  readonly ending: number;
};

function groupAt(page: Page, first: number, { isFree, areFound }: FreeLines): Group | null {
  const { text, pieces } = page;
  const start = pieces.start[first] as number;
  if (!isOwnLine(page, first, LEAST_START) || !isFree(first)) return null;
  // Common indentation alone does not count.
  const least = countBlanks(text, start) + LEAST_START;
  const end = pieces.end[first] as number;
  const place = areFound ? endOfPlace(text, start, end) : end;
  let shared = Math.min(MOST_START, place - start);
  const whole = Math.min(MOST_START, end - start);
  let path = -1;
  let best = 0;
  let bestShared = 0;
  let count = 0;
  const limit = Math.min(page.end, first + MOST_LINES);
  for (let at = first + 1; at < limit && isOwnLine(page, at, LEAST_START) && isFree(at); at++) {
    const same = sharedLength(page, at, { start, limit: shared });
    if (same < least) break;
    if (path < 0) path = endOfPath(text, start, start + whole) - start;
    // In grep output, matches and context lines have different separators after the path.
    const isFile = path > 0 && same >= path && endOfNumber(text, (pieces.start[at] as number) + path) > 0;
    shared = Math.max(wholeWords(text, start, same), isFile ? path : 0);
    if (shared < least) break;
    if ((at - first) * shared <= best) continue;
    best = (at - first) * shared;
    bestShared = shared;
    count = at - first + 1;
  }
  if (count === 0) return null;
  const ends = sharedEnding(page, { first, count, shared: bestShared });
  const ending = (path === 0 && place === end) || isAllCode(page, { first, count, ending: ends }) ? ends : 0;
  if ((count - 1) * (bestShared + ending) < LEAST_SAVED) return null;
  return { first, count, shared: bestShared, ending };
}

/** Whether everything after the line numbers of `grep -n` output is the same: a line of code is never split. */
function isAllCode({ text, pieces }: Page, { first, count, ending }: Omit<Group, "shared">): boolean {
  for (let at = first; at < first + count; at++) {
    const end = pieces.end[at] as number;
    const number = endOfNumber(text, endOfPath(text, pieces.start[at] as number, end));
    if (end - ending > number) return false;
  }
  return true;
}

function countBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at++;
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

/** Shortens to the last word boundary: numbers and names are not split. */
function wholeWords(text: string, start: number, size: number): number {
  let end = size;
  while (end > 0 && isWordCode(text.charCodeAt(start + end - 1))) end--;
  return end;
}

/**
 * Null if every placeholder occurs in the common part, or if too few tokens are saved, as when the lines share mostly
 * blanks.
 */
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
  if (estimateTokens(written) + LEAST_GAIN_TOKENS > estimateTokens(text.slice(from, to))) return null;
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
