import { agree } from "../agreement.ts";
import type { Page } from "../pieces.ts";
import { hasNumber, type Source } from "../place-name.ts";
import { referTo } from "../reference.ts";
import type { Replacement } from "../replacement.ts";
import type { Block, SourceIndex } from "../source-index.ts";

/** Characters of sources that are searched for the words of a page, for each of its own. */
const SEARCHED = 16;
const LEAST_SEARCHED = 1_000_000;

/**
 * A block that stands in an earlier message, in full, is not said again: agents read the same file after every
 * edit. The newer copy becomes the reference, so that what a provider has cached stays as it is. Inverse:
 * `expandLines` of the tests. Bound: that of the index, which limits its comparisons by the page's pieces; and
 * sources are searched for words over a bounded number of characters for each one of the page.
 */
export function findReferences(
  page: Page,
  index: SourceIndex,
  sourceOf: (piece: number) => Source,
): Replacement[] {
  const found: Replacement[] = [];
  let searchable = LEAST_SEARCHED + page.text.length * SEARCHED;

  function replace(block: Block): Replacement | null {
    const source = sourceOf(block.source);
    if (!hasNumber(source, block.source)) searchable -= source.shown.length;
    const trimmed = searchable < 0 ? null : withoutBlankEnds(page, block);
    const agreement = trimmed === null ? null : agree(page, trimmed, source.page);
    return agreement === null ? null : referTo(page, agreement, source);
  }

  for (let at = page.first; at < page.end; ) {
    const block = index.find(page, at);
    const replacement = block === null ? null : replace(block);
    if (replacement !== null) found.push(replacement);
    at = replacement === null ? at + 1 : replacement.first + replacement.count;
  }
  return found;
}

/** Blank lines at the ends of a block name no place. */
function withoutBlankEnds({ pieces }: Page, block: Block): Block | null {
  const isBlank = (at: number) => pieces.end[at] === pieces.body[at];
  let { first, source, count } = block;
  while (count > 0 && isBlank(first + count - 1)) count--;
  while (count > 0 && isBlank(first)) {
    first++;
    source++;
    count--;
  }
  return count === 0 ? null : { first, source, count };
}
