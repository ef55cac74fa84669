import { mayHaveFences } from "../fences/scan-fences.ts";
import { cutLongLine, endOfQuoted, giveUp, LONG_LINE, mostPieces } from "../text/cut.ts";
import { COLUMNS } from "../text/marks.ts";
import { addPiece, FENCED, type Page, type Pieces } from "../text/pieces.ts";
import { hashPieces } from "./source-index.ts";

/** Shorter cells of a row form one piece with their neighbours. */
const LEAST_CELL = 100;
const HEAD = `{"${COLUMNS}"`;

const LINE_BREAK = 10;
const QUOTE = 34;
const COMMA = 44;
const CLOSING = 125;

/** An open table, identified by a hash of its head: the meaning of a row depends on the column names. */
type Table = { head: number; hasRows: boolean };

/**
 * Appends a text with tables to the pieces: heads, rows, and the long cells of long rows. Rows match only under the
 * same head, long cells anywhere. Null if it has too many pieces.
 */
export function readTable(pieces: Pieces, text: string): Page | null {
  const first = pieces.count;
  const limit = first + mostPieces(text);
  const hasFences = mayHaveFences(text);
  const tables = createTables(text);
  /** By piece: the head that its hash is combined with; none for pieces that mean the same under any head. */
  const heads: number[] = [];
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    const firstOfLine = pieces.count;
    const table = tables.startLine(at);
    const line = { start: at, end: tables.nextHead(end), limit };
    if (table !== null) {
      cutRow(pieces, text, line, (piece) => {
        heads[piece - first] = table.head;
      });
    } else if (line.end > at) {
      const isLong = line.end - at > LONG_LINE;
      addPiece(pieces, isLong ? cutLongLine(pieces, text, line) : at, line.end);
    }
    tables.endLine(at, end, (from, to) => addPiece(pieces, from, to));
    if (pieces.count > limit) return giveUp(pieces, first);
    // Language fences stay as they are, also in quotes.
    if (hasFences && mayHaveFences(text.slice(at, end))) {
      pieces.number.fill(FENCED, firstOfLine, pieces.count);
    }
    at = end + 1;
  }
  const page: Page = { text, pieces, first, end: pieces.count, isTable: true };
  hashPieces(page);
  for (let piece = first; piece < page.end; piece++) {
    const head = heads[piece - first];
    if (head !== undefined) pieces.hash[piece] = Math.imul((pieces.hash[piece] as number) ^ head, 0x9e3779b1);
  }
  return page;
}

/**
 * How many pieces form a valid end of a block: not with a head, whose rows would be missing, nor with the end of a
 * table that began outside.
 */
export function countWellEnded({ text, pieces }: Page, first: number, count: number): number {
  let opened = 0;
  let ended = 0;
  for (let at = 0; at < count; at++) {
    const start = pieces.start[first + at] as number;
    const isHead = text.startsWith(HEAD, start);
    const isClosing = text.charCodeAt(start) === CLOSING && text.charCodeAt(start - 1) === LINE_BREAK;
    const isLoose = isClosing && opened === 0;
    if (isHead) opened++;
    else if (isClosing && !isLoose) opened--;
    if (!isHead && !isLoose) ended = at + 1;
  }
  return ended;
}

/** Tracks which tables are open: a bracket at the start of a line closes one, and heads open others. */
function createTables(text: string) {
  const open: Table[] = [];
  let next = text.indexOf(HEAD);

  /** Hashes a head, which may span lines. */
  function read(table: Table | undefined, from: number, to: number): void {
    if (table === undefined || table.hasRows) return;
    for (let at = from; at < to; at++) table.head = (Math.imul(table.head, 31) + text.charCodeAt(at)) | 0;
  }

  return {
    /** The table that the line is a row of, or continues a row of; null if there is none. */
    startLine(start: number): Table | null {
      if (text.charCodeAt(start) === CLOSING) open.pop();
      else if (open.length > 0) (open.at(-1) as Table).hasRows = true;
      return open.at(-1) ?? null;
    },
    /** Where the next head begins, or the end of the line if that comes first. */
    nextHead: (lineEnd: number): number => (next < 0 || next > lineEnd ? lineEnd : next),
    endLine(start: number, end: number, add: (from: number, to: number) => void): void {
      let from = start;
      while (next >= 0 && next < end) {
        read(open.at(-1), from, next);
        open.push({ head: 1, hasRows: false });
        from = next;
        next = text.indexOf(HEAD, from + 1);
        add(from, this.nextHead(end));
      }
      read(open.at(-1), from, end);
    },
  };
}

/**
 * Long cells become pieces of their own; what lies between them becomes one piece each, which is reported to `hear`.
 */
function cutRow(
  pieces: Pieces,
  text: string,
  { start, end }: { start: number; end: number },
  hear: (piece: number) => void,
): void {
  let from = start;
  const addCells = (to: number): void => {
    if (to <= from) return;
    hear(pieces.count);
    addPiece(pieces, from, to);
  };
  for (let at = start; end - start > LONG_LINE && at < end; ) {
    const cellEnd = endOfCell(text, at, end);
    if (cellEnd - at >= LEAST_CELL) {
      addCells(at - 1);
      addPiece(pieces, at, cellEnd);
      from = cellEnd + 1;
    }
    at = cellEnd + 1;
  }
  addCells(end);
}

/** The index of the comma after a cell, or the end of the line. */
function endOfCell(text: string, start: number, lineEnd: number): number {
  let depth = 0;
  for (let at = start; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA && depth === 0) return at;
    if (code === QUOTE) at = endOfQuoted(text, at, lineEnd);
    else if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
  }
  return lineEnd;
}
