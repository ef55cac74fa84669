import type { MarkdownIt, Token } from "markdown-it";

/** Longest piece, in characters, of a paragraph that is parsed in pieces. */
const MOST_AT_ONCE = 4_000;
/**
 * Each bracket may be searched to the end for its match, so the cost of a paragraph full of brackets is quadratic. A
 * paragraph that costs more than this is parsed in pieces: 16 kB with 250 links and citations is just below.
 */
const MOST_LOOKED_AT = 4_000_000;

/** Syntax that begins in one piece and ends in the next stays as written. */
export function readInPieces(parser: MarkdownIt): void {
  parser.core.ruler.before("inline", "pieces", (state) => {
    if (!state.tokens.some(isExpensive)) return;
    state.tokens = state.tokens.flatMap((token) => {
      if (!isExpensive(token)) return [token];
      return piecesOf(token.content).map((content) => {
        const piece = new state.Token(token.type, token.tag, token.nesting);
        return Object.assign(piece, { map: token.map, level: token.level, children: [], content });
      });
    });
  });
}

function isExpensive({ type, content }: Token): boolean {
  if (type !== "inline" || content.length <= MOST_AT_ONCE) return false;
  return (content.split("[").length - 1) * content.length > MOST_LOOKED_AT;
}

/** Each piece ends after a line or a word, if possible. */
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
