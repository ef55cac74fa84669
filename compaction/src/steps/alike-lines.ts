import { isDigit } from "../text/character-codes.ts";
import { EACH } from "../text/marks.ts";
import { NO_NUMBER, type Page, type Replacement } from "../text/pieces.ts";

/** Shorter common beginnings are not worth a header line. */
const LEAST_START = 10;
const MOST_START = 240;
/** What is omitted must be longer than the header line. */
const LEAST_SAVED = 60;
/** The most lines of a group. */
const MOST_LINES = 512;
/** Placeholder for what differs between the lines. */
const HOLE = "…";
/** A hunk of a diff, whose lines are edited by exact match. */
const HUNK = /^@@ -\d/m;
/**
 * Where a search found something: a path alone on its line, or before the colon of a match or the number of a line
 * beside it. A blank or a sign of code ends it.
 */
const PLACE = /^(?:[a-zA-Z]:(?=[\\/]))?(?=[^\s:]*[\\/.])[^\s"'`;,=<>{}()|*:]+?(?::|(?=-\d+-|$))/;

/** Which lines may be folded, and how. */
type FreeLines = {
  readonly isFree: (piece: number) => boolean;
  /** True for search results: they may be code, except for the path before it. */
  readonly areFound: boolean;
};

/**
 * Consecutive lines with a common beginning (paths, matches in one file, log entries) become one header line with what
 * they share, and then one line each with what differs. Indented lines may be code, and stay. Inverse: `expandLines` of
 * the decoder. Bound: lines are compared with the first of their group, over a bounded number of lines and characters.
 * If a group saves too little, which means few lines, the scan continues at the next line; if the lines share dots
 * themselves, after the group.
 */
export function foldAlikeLines(page: Page, lines: FreeLines): Replacement[] {
  const found: Replacement[] = [];
  if (HUNK.test(page.text)) return found;
  for (let at = page.first; at < page.end; ) {
    const group = groupAt(page, at, lines);
    const isClear = group !== null && group.text.indexOf(HOLE) === group.text.indexOf("\n") - 1;
    if (group !== null && isClear) found.push(group);
    at += group?.count ?? 1;
  }
  return found;
}

function groupAt(page: Page, first: number, { isFree, areFound }: FreeLines): Replacement | null {
  const { text, pieces } = page;
  const isLine = (piece: number) => isFree(piece) && isOwnLine(page, piece);
  if (!isLine(first)) return null;
  const from = pieces.start[first] as number;
  const line = text.slice(from, Math.min(pieces.end[first] as number, from + MOST_START));
  const place = areFound ? (PLACE.exec(line)?.[0].length ?? 0) : line.length;
  const leastPlace = line.charAt(place - 1) === ":" ? place - 1 : place;
  let shared = place;
  let best = 0;
  let head = 0;
  let count = 0;
  const limit = Math.min(page.end, first + MOST_LINES);
  for (let at = first + 1; at < limit && isLine(at); at++) {
    const same = sharedLength(page, at, line, shared);
    // Matches and the lines beside them have different signs after the path.
    shared = areFound && same >= leastPlace ? same : wholeWords(line, same);
    if (shared < LEAST_START) break;
    if ((at - first) * shared <= best) continue;
    best = (at - first) * shared;
    head = shared;
    count = at - first + 1;
  }
  const start = line.slice(0, head);
  if (best < LEAST_SAVED) return null;
  let written = `${EACH}${count} lines: ${start}${HOLE}`;
  for (let at = first; at < first + count; at++) {
    written += `\n${text.slice((pieces.start[at] as number) + head, pieces.end[at])}`;
  }
  return { first, count, from, to: pieces.end[first + count - 1] as number, text: written, isFold: true };
}

/** Whether the piece is a whole line without indentation, in no gutter or language fence. */
function isOwnLine({ text, pieces }: Page, piece: number): boolean {
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  if (pieces.number[piece] !== NO_NUMBER || end - start < LEAST_START) return false;
  if (start > 0 && text.charCodeAt(start - 1) !== 10) return false;
  return text.charCodeAt(start) > 32 && (end === text.length || text.charCodeAt(end) === 10);
}

function sharedLength({ text, pieces }: Page, piece: number, line: string, most: number): number {
  const start = pieces.start[piece] as number;
  const limit = Math.min(most, (pieces.end[piece] as number) - start);
  let size = 0;
  while (size < limit && text.charCodeAt(start + size) === line.charCodeAt(size)) size++;
  return size;
}

/** Shortens to the last word boundary: numbers and names are not split. */
function wholeWords(line: string, size: number): number {
  let end = size;
  while (end > 0 && isWordCode(line.charCodeAt(end - 1))) end--;
  return end;
}

/** Letters, digits, and other characters of names. */
function isWordCode(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return isLetter || isDigit(code) || code === 95 || code === 45 || code === 46 || code > 127;
}
