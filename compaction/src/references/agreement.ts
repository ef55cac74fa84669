import { escapeLines, QUOTE_SIGNS, type QuoteSign } from "../text/escapes.ts";
import { ESCAPED, type Page } from "../text/pieces.ts";
import { saidBy } from "./said-by.ts";
import { type Block, LEAST_BLOCK, sizeOf } from "./source-index.ts";

/** A block whose text, not only its hashes, equals its source. */
export type Agreement = {
  readonly block: Block;
  /** Empty if the block equals its source; else the quotes in which the block contains it as an escaped string. */
  readonly quote: QuoteSign | "";
};

/** The part of a block that really agrees with its source; null if that is too short for a reference. */
export function agree(page: Page, block: Block, source: Page): Agreement | null {
  if (areNumbered(page, block, source)) {
    const count = countAgreeing(page, block, source);
    return sizeOf(page, block.first, count) < LEAST_BLOCK ? null : { block: { ...block, count }, quote: "" };
  }
  const said = saidBy(source, block.source, block.count);
  const here = saidBy(page, block.first, block.count);
  if (here === said) return { block, quote: "" };
  if (page.pieces.number[block.first] === ESCAPED) {
    const quote = QUOTE_SIGNS.find((sign) => escapeLines(said, sign) === here);
    return quote === undefined ? null : { block, quote };
  }
  const count = countAgreeing(page, block, source);
  const shorter = { ...block, count };
  if (count === block.count || sizeOf(page, block.first, count) < LEAST_BLOCK) return null;
  return agree(page, shorter, source);
}

/** Numbered lines are separated by line breaks only, so comparing each line's content is enough. */
function areNumbered(page: Page, { first, source: from }: Block, source: Page): boolean {
  return (page.pieces.number[first] as number) >= 0 && (source.pieces.number[from] as number) >= 0;
}

/** Compares the texts, since hashes may collide. */
function countAgreeing(page: Page, block: Block, source: Page): number {
  let count = 0;
  while (count < block.count && isSame(page, block.first + count, source, block.source + count)) count++;
  return count;
}

function isSame(page: Page, piece: number, source: Page, sourcePiece: number): boolean {
  const from = page.pieces.body[piece] as number;
  const to = page.pieces.end[piece] as number;
  const start = source.pieces.body[sourcePiece] as number;
  const end = source.pieces.end[sourcePiece] as number;
  return to - from === end - start && page.text.startsWith(source.text.slice(start, end), from);
}
