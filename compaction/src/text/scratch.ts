import { createPieces, MOST_KEPT_PIECES, type Pieces } from "./pieces.ts";

let scratch = createPieces();

/** Pieces for a temporary page: the next caller gets the same ones, emptied. */
export function scratchPieces(): Pieces {
  if (scratch.start.length > MOST_KEPT_PIECES) scratch = createPieces();
  scratch.count = 0;
  return scratch;
}
