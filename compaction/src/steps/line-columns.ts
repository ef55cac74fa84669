import { isBlank } from "../text/character-codes.ts";
import type { Page } from "../text/pieces.ts";
import { isWordCode } from "./own-lines.ts";

/** Only this much of a line is split into columns. */
const MOST_COLUMNS = 32;
const MOST_SIZE = 400;
/** A word of one letter and the blank before it do not count as shared. */
const LEAST_COLUMN = 3;
/** A shorter common part between two holes is not worth a separator. */
const LEAST_BETWEEN = 3;

/** A line in columns: each is a word with the blanks before it. What follows the last column is the rest. */
type Columns = {
  start: number;
  end: number;
  count: number;
  /** End offset of each column. */
  readonly ends: Int32Array;
  /** Not 0 if all lines of the group have the same text in this column. */
  readonly same: Uint8Array;
};

export function createColumns(): Columns {
  return {
    start: 0,
    end: 0,
    count: 0,
    ends: new Int32Array(MOST_COLUMNS),
    same: new Uint8Array(MOST_COLUMNS),
  };
}

export function readColumns({ text, pieces }: Page, piece: number, columns: Columns): void {
  const start = pieces.start[piece] as number;
  const end = pieces.end[piece] as number;
  const limit = Math.min(end, start + MOST_SIZE);
  columns.start = start;
  columns.end = end;
  let count = 0;
  for (let at = start; count < MOST_COLUMNS; count++) {
    while (at < limit && isBlank(text.charCodeAt(at))) at++;
    if (at === limit) break;
    while (at < limit && !isBlank(text.charCodeAt(at))) at++;
    // A word that continues past the limit belongs to the rest.
    if (at === limit && limit < end) break;
    columns.ends[count] = at;
    columns.same[count] = 1;
  }
  columns.count = count;
}

/** How many characters a line shares with its group, by columns. */
export function sharedSize(text: string, head: Columns, line: Columns): number {
  const count = Math.min(head.count, line.count);
  let size = 0;
  for (let column = 0; column < count; column++) {
    const length = lengthOf(head, column);
    if (length >= LEAST_COLUMN && isShared(text, head, line, column)) size += length;
  }
  return size;
}

/** Reduces what the group shares to what it shares with this line. */
export function narrow(text: string, head: Columns, line: Columns): void {
  head.count = Math.min(head.count, line.count);
  for (let column = 0; column < head.count; column++) {
    head.same[column] = isShared(text, head, line, column) ? 1 : 0;
  }
}

function isShared(text: string, head: Columns, line: Columns, column: number): boolean {
  const length = lengthOf(head, column);
  if (head.same[column] === 0 || lengthOf(line, column) !== length) return false;
  const here = startOf(head, column);
  const there = startOf(line, column);
  // Backwards, since counting numbers differ at their end.
  for (let at = length - 1; at >= 0; at--) {
    if (text.charCodeAt(here + at) !== text.charCodeAt(there + at)) return false;
  }
  return true;
}

function startOf(columns: Columns, column: number): number {
  return column === 0 ? columns.start : (columns.ends[column - 1] as number);
}

/** The column after the last one is the rest of the line. */
function endOf(columns: Columns, column: number, rest: number): number {
  return column === rest ? columns.end : (columns.ends[column] as number);
}

function lengthOf(columns: Columns, column: number): number {
  return (columns.ends[column] as number) - startOf(columns, column);
}

/**
 * What differs between the lines: the columns from `first` to `last`, without the `before` characters that all share
 * at its start and the `behind` characters at its end.
 */
export type Hole = {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly behind: number;
};

export function holeStart(columns: Columns, { first, before }: Hole): number {
  return startOf(columns, first) + before;
}

export function holeEnd(columns: Columns, { last, behind }: Hole, rest: number): number {
  return endOf(columns, last, rest) - behind;
}

type Lines = { readonly first: number; readonly count: number };

/** The holes of a group, in order; `head` is its first line, narrowed to what all lines share. */
export function findHoles(page: Page, head: Columns, { first, count }: Lines): Hole[] {
  const { text } = page;
  const rest = head.count;
  const open: { column: number; before: number; behind: number; least: number }[] = [];
  for (let column = 0; column <= rest; column++) {
    if (column < rest && head.same[column] !== 0) continue;
    const least = endOf(head, column, rest) - startOf(head, column);
    open.push({ column, before: least, behind: least, least });
  }
  const line = createColumns();
  let hasRest = head.end > endOf(head, rest - 1, rest);
  for (let at = first + 1; at < first + count; at++) {
    readColumns(page, at, line);
    hasRest ||= line.end > endOf(line, rest - 1, rest);
    for (const hole of open) {
      const [a, b] = [startOf(head, hole.column), startOf(line, hole.column)];
      const [c, d] = [endOf(head, hole.column, rest), endOf(line, hole.column, rest)];
      hole.least = Math.min(hole.least, d - b);
      hole.before = Math.min(hole.before, hole.least);
      hole.behind = Math.min(hole.behind, hole.least);
      let same = 0;
      while (same < hole.before && text.charCodeAt(a + same) === text.charCodeAt(b + same)) same++;
      hole.before = same;
      same = 0;
      while (same < hole.behind && text.charCodeAt(c - 1 - same) === text.charCodeAt(d - 1 - same)) same++;
      hole.behind = same;
    }
  }
  if (!hasRest) open.pop();
  return open.map(({ column, before, behind, least }) => {
    const start = startOf(head, column);
    const end = endOf(head, column, rest);
    let left = before;
    while (left > 0 && isWordCode(text.charCodeAt(start + left - 1))) left--;
    let right = Math.min(behind, least - left);
    while (right > 0 && isWordCode(text.charCodeAt(end - right))) right--;
    return { first: column, last: column, before: left, behind: right };
  });
}

/** Joins holes with hardly anything between them. */
export function joinHoles(text: string, holes: readonly Hole[], head: Columns): Hole[] {
  const joined: Hole[] = [];
  for (const hole of holes) {
    const last = joined.at(-1);
    const isApart =
      last === undefined || isWorthASign(text, holeEnd(head, last, head.count), holeStart(head, hole));
    if (isApart) joined.push(hole);
    else joined[joined.length - 1] = { ...hole, first: last.first, before: last.before };
  }
  return joined;
}

/** A run of blanks counts as one character. */
function isWorthASign(text: string, from: number, to: number): boolean {
  let size = 0;
  for (let at = from; at < to; at++) {
    if (at === from || !isBlank(text.charCodeAt(at)) || !isBlank(text.charCodeAt(at - 1))) size++;
  }
  return size >= LEAST_BETWEEN;
}
