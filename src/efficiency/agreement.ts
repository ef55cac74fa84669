import { escapeLines, QUOTE_SIGNS, type QuoteSign } from "./escapes.ts";
import { ESCAPED, type Page } from "./pieces.ts";
import { saidBy } from "./said-by.ts";
import { type Block, LEAST_BLOCK, sizeOf } from "./source-index.ts";

/** A block whose text is that of its source, and not only its hashes. */
export type Agreement = {
  readonly block: Block;
  /** What the source says. */
  readonly said: string;
  /** Empty where the block says just this; a quote where it says it as a text in such quotes. */
  readonly quote: QuoteSign | "";
};

/** As much of a block as truly agrees with its source; null where that is too little for a reference. */
export function agree(page: Page, block: Block, source: Page): Agreement | null {
  const said = saidBy(source, block.source, block.count);
  const here = saidBy(page, block.first, block.count);
  if (here === said) return { block, said, quote: "" };
  if (page.pieces.number[block.first] === ESCAPED) {
    const quote = QUOTE_SIGNS.find((sign) => escapeLines(said, sign) === here);
    return quote === undefined ? null : { block, said, quote };
  }
  const count = countAgreeing(page, block, source);
  const shorter = { ...block, count };
  if (count === block.count || sizeOf(page, block.first, count) < LEAST_BLOCK) return null;
  return agree(page, shorter, source);
}

/** Where hashes agree by accident the pieces are compared one by one. */
function countAgreeing(page: Page, block: Block, source: Page): number {
  let count = 0;
  while (
    count < block.count &&
    saidBy(page, block.first + count, 1) === saidBy(source, block.source + count, 1)
  ) {
    count++;
  }
  return count;
}
