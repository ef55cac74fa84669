/**
 * The texts of a conversation cut into pieces (lines, and the members of long one-line values), in flat arrays. One
 * index for all steps: a step compares place, length and hash of a piece, and reads its text only to confirm a match.
 */
export type Pieces = {
  count: number;
  /** Start offset in its text, including the line number. */
  start: Int32Array;
  /** Start offset of its content, after the line number. */
  body: Int32Array;
  end: Int32Array;
  /** Its gutter number, or one of the negative values below. */
  number: Int32Array;
  /** Hash of its content; set only for pages that are searched. */
  hash: Int32Array;
};

/** One text and its pieces, from `first` to before `end`. */
export type Page = {
  readonly text: string;
  readonly pieces: Pieces;
  readonly first: number;
  readonly end: number;
  /** Set if its JSON is written as tables. */
  readonly isTable?: true;
};

export const NO_NUMBER = -1;
/**
 * In `number`: a gutter line without a separator after its number. The number is part of its content, the padding is
 * not.
 */
export const PADDED = -2;
/** In `number`: a part of a fence that is tagged with a language, or of a reminder, which stays as it is. */
export const FENCED = -3;
/** In `number`: the model sees only what this line does not share with its neighbours. */
export const FOLDED = -4;

const LINE_BREAK = 10;
const FIRST_CAPACITY = 1_024;
/** Larger columns (for a megabyte or so of text) are not reused for the next conversation. */
export const MOST_KEPT_PIECES = 65_536;

export function createPieces(): Pieces {
  const column = () => new Int32Array(FIRST_CAPACITY);
  return { count: 0, start: column(), body: column(), end: column(), number: column(), hash: column() };
}

let scratch = createPieces();

/** Pieces for a temporary page: the next caller gets the same ones, emptied. */
export function scratchPieces(): Pieces {
  if (scratch.start.length > MOST_KEPT_PIECES) scratch = createPieces();
  scratch.count = 0;
  return scratch;
}

export function addPiece(pieces: Pieces, start: number, end: number): void {
  const at = pieces.count++;
  if (at === pieces.start.length) grow(pieces);
  pieces.start[at] = start;
  pieces.body[at] = start;
  pieces.end[at] = end;
  pieces.number[at] = NO_NUMBER;
}

function grow(pieces: Pieces): void {
  const size = pieces.start.length * 2;
  for (const name of ["start", "body", "end", "number", "hash"] as const) {
    const wider = new Int32Array(size);
    wider.set(pieces[name]);
    pieces[name] = wider;
  }
}

export function isLineStart({ text, pieces }: Page, piece: number): boolean {
  const start = pieces.start[piece] as number;
  return start === 0 || text.charCodeAt(start - 1) === LINE_BREAK;
}

/** Replaces `count` pieces of a page, that is, the characters from `from` to `to`. */
export type Replacement = {
  readonly first: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** A header line, then a line for each piece with what it does not share with the others; else nothing is shown. */
  readonly isFold?: true;
};
