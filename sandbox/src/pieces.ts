/** The pieces of a text in order, packed: a slow reader may hold thousands of them for minutes. */
export type Pieces = {
  readonly length: number;
  /** Empty beyond the last piece. */
  at(index: number): string;
};

/** One string and the end of each piece: a tenth of the memory of separate strings. */
export function packPieces(pieces: readonly string[]): Pieces {
  const ends = new Uint32Array(pieces.length);
  let end = 0;
  for (const [at, piece] of pieces.entries()) {
    end += piece.length;
    ends[at] = end;
  }
  const text = pieces.join("");
  return {
    length: ends.length,
    at: (index) => text.slice(index === 0 ? 0 : ends[index - 1], ends[index] ?? 0),
  };
}
