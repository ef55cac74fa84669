import { gutterAt, isLoose } from "../text/loose-gutter.ts";
import { SAME, SIGN } from "../text/marks.ts";
import { ESCAPED, NO_NUMBER, type Page } from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";
import type { Agreement } from "./agreement.ts";
import { countLines, nameByNumbers, nameByOwnWords, nameByWords, type Source } from "./place-name.ts";
import { saidBy } from "./said-by.ts";
import { type Block, sizeOf } from "./source-index.ts";

/** A reference must be at most half as long as what it replaces. */
const LEAST_RATIO = 2;

/** The reference to a block; null if the block cannot be named or would hardly get shorter. */
export function referTo(page: Page, { block, quote }: Agreement, source: Source): Replacement | null {
  const { pieces, text } = page;
  const { first, count } = block;
  const number = pieces.number[first] as number;
  const numbers = nameByNumbers(block, source, number);
  const said = numbers === null ? saidBy(source.page, block.source, count) : "";
  // The quote starts at the first word; the indentation before it stays in the text.
  const gutter = number < 0 ? null : gutterAt(page, first);
  const isWholeLine =
    numbers !== null ||
    (gutter !== null && isLoose(gutter)) ||
    source.places?.isFolded(block.source) === true;
  const blanks = isWholeLine ? 0 : countBlanks(said, quote === "");
  const place = numbers ?? nameOf(block, source, { said, blanks });
  if (place === null) return null;
  const body = pieces.body[first] as number;
  const last = first + count - 1;
  const to = pieces.end[last] as number;
  const range =
    gutter === null
      ? ""
      : `${gutter.name}-${gutterAt(page, last).name}${gutter.sign}${said.slice(0, blanks)}`;
  const isInLine = to < text.length && text.charCodeAt(to) !== 10;
  const reference = `${range}${SAME}${place}${quote && ` quoted ${quote}`}${isInLine ? SIGN : ""}`;
  const size = numbers === null ? said.length : sizeOf(source.page, block.source, count) - 1;
  if (reference.length * LEAST_RATIO > size) return null;
  const isPlain = number === NO_NUMBER || number === ESCAPED;
  return {
    first,
    count,
    from: isPlain ? body + blanks : (pieces.start[first] as number),
    to,
    text: reference,
    kind: "reference",
  };
}

/** Names a block without line numbers, leaving out the blanks before it. */
function nameOf(
  { source: piece, count }: Block,
  source: Source,
  { said, blanks }: { said: string; blanks: number },
): string | null {
  const { places } = source;
  if (places === null) return nameByWords(said.slice(blanks), source);
  const from = places.from(piece) + blanks;
  const to = places.to(piece + count - 1);
  return nameByOwnWords({ from, to, lines: countLines(said) }, source);
}

/** Tabs count only if they are not escaped. */
function countBlanks(text: string, countsTabs: boolean): number {
  let at = 0;
  while (text.charCodeAt(at) === 32 || (countsTabs && text.charCodeAt(at) === 9)) at++;
  return at;
}
