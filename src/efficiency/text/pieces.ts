/**
 * The texts of a conversation cut into pieces, in flat arrays: lines, and the members of long one-line values.
 * One index for all steps: a step looks at a piece's place, length and hash, and reads its text only to be sure.
 */
export type Pieces = {
  count: number;
  /** Where the piece begins in its text, its line number included. */
  start: Int32Array;
  /** Where what it says begins, behind its line number. */
  body: Int32Array;
  end: Int32Array;
  /** Its number in a gutter, or NO_NUMBER. */
  number: Int32Array;
  /** Of what it says; set by those who look for it. */
  hash: Int32Array;
  /** Not 0 where the model sees only what it does not share with its neighbours. */
  folded: Int32Array;
};

/** One text and its pieces, from `first` up to `end`. */
export type Page = {
  readonly text: string;
  readonly pieces: Pieces;
  readonly first: number;
  readonly end: number;
  /** Its JSON is written as tables. */
  readonly isTable?: true;
};

export const NO_NUMBER = -1;
/** In `number`: a line of a gutter without a sign behind its numbers. It says its number, but not its padding. */
export const PADDED = -2;
/** In `number`: a line of a quoted text, whose breaks and quotes are written as escapes. It says what they mean. */
export const ESCAPED = -3;
/** In `number`: a part of a fence in some language, which stays as it is. */
export const FENCED = -4;

const FIRST_CAPACITY = 1_024;
/** Columns for more pieces than that, a megabyte or so of text, are not kept for the next conversation. */
export const MOST_KEPT_PIECES = 65_536;

export function createPieces(): Pieces {
  const column = () => new Int32Array(FIRST_CAPACITY);
  return {
    count: 0,
    start: column(),
    body: column(),
    end: column(),
    number: column(),
    hash: column(),
    folded: column(),
  };
}

export function addPiece(pieces: Pieces, start: number, end: number): void {
  const at = pieces.count++;
  if (at === pieces.start.length) grow(pieces);
  pieces.start[at] = start;
  pieces.body[at] = start;
  pieces.end[at] = end;
  pieces.number[at] = NO_NUMBER;
  pieces.folded[at] = 0;
}

function grow(pieces: Pieces): void {
  const size = pieces.start.length * 2;
  for (const name of ["start", "body", "end", "number", "hash", "folded"] as const) {
    const wider = new Int32Array(size);
    wider.set(pieces[name]);
    pieces[name] = wider;
  }
}
