import { agree } from "../agreement.ts";
import type { Page } from "../pieces.ts";
import type { Source } from "../place-name.ts";
import { referTo } from "../reference.ts";
import type { Replacement } from "../replacement.ts";
import type { Block, SourceIndex } from "../source-index.ts";

/**
 * A block that stands in an earlier message, in full, is not said again: agents read the same file after every
 * edit. The newer copy becomes the reference, so that what a provider has cached stays as it is. Inverse:
 * `expandReferences` of the tests. Bound: that of the index, which limits its comparisons by the page's pieces.
 */
export function findReferences(
  page: Page,
  index: SourceIndex,
  sourceOf: (piece: number) => Source,
): Replacement[] {
  const found: Replacement[] = [];
  for (let at = page.first; at < page.end; ) {
    const block = index.find(page, at);
    const replacement = block === null ? null : replace(page, block, sourceOf(block.source));
    if (replacement !== null) found.push(replacement);
    at = replacement === null ? at + 1 : replacement.first + replacement.count;
  }
  return found;
}

function replace(page: Page, block: Block, source: Source): Replacement | null {
  const trimmed = withoutBlankEnds(page, block);
  const agreement = trimmed === null ? null : agree(page, trimmed, source.page);
  return agreement === null ? null : referTo(page, agreement, source);
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
