import { createPieces, MOST_KEPT_PIECES, type Pieces } from "./pieces.ts";

let scratch = createPieces();

/** Pieces for a page that nobody remembers: whoever asks next gets the same ones, empty. */
export function scratchPieces(): Pieces {
  if (scratch.start.length > MOST_KEPT_PIECES) scratch = createPieces();
  scratch.count = 0;
  return scratch;
}
