import type { MarkdownIt, Token } from "markdown-it";

/** Of a paragraph of brackets, what is read at once. */
const MOST_AT_ONCE = 4_000;
/**
 * Each bracket may look for its other half up to the end, so that a paragraph of nothing else costs the square of its
 * length. What costs more than this is read in pieces: a paragraph of 16 kB with 250 links and citations is not yet.
 */
const MOST_LOOKED_AT = 4_000_000;

/** A mark that begins in one piece and ends in the next stays as it was written. */
export function readInPieces(parser: MarkdownIt): void {
  parser.core.ruler.before("inline", "pieces", (state) => {
    if (!state.tokens.some(isDear)) return;
    state.tokens = state.tokens.flatMap((token) => {
      if (!isDear(token)) return [token];
      return piecesOf(token.content).map((content) => {
        const piece = new state.Token(token.type, token.tag, token.nesting);
        return Object.assign(piece, { map: token.map, level: token.level, children: [], content });
      });
    });
  });
}

function isDear({ type, content }: Token): boolean {
  if (type !== "inline" || content.length <= MOST_AT_ONCE) return false;
  return (content.split("[").length - 1) * content.length > MOST_LOOKED_AT;
}

/** Each ends behind a line or a word where there is one. */
function piecesOf(content: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < content.length; ) {
    const most = content.slice(at, at + MOST_AT_ONCE);
    const isLast = at + most.length === content.length;
    const end = most.lastIndexOf("\n") + 1 || most.lastIndexOf(" ") + 1 || most.length;
    const piece = isLast ? most : most.slice(0, end);
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}
