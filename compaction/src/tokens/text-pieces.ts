/**
 * A longer text is counted piece by piece, so that others can be served in between. The count is that of its pieces on
 * every node, whether or not anybody was served; a cut costs a token at most.
 */
export const LONGEST_PIECE = 400_000;

const HIGH = 0xd800;
const LOW = 0xdc00;

/** Their places depend only on the text before them: what is appended changes no earlier piece. */
export function* piecesOf(text: string): Generator<string, void, void> {
  let from = 0;
  while (text.length - from > LONGEST_PIECE) {
    const to = from + LONGEST_PIECE;
    const last = text.charCodeAt(to - 1);
    const end = last >= HIGH && last < LOW ? to - 1 : to;
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

export function countPieces(text: string, count: (piece: string) => number): number {
  let tokens = 0;
  for (const piece of piecesOf(text)) tokens += count(piece);
  return tokens;
}
