import type { Page } from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";
import { agree } from "./agreement.ts";
import { hasNumber, type Source } from "./place-name.ts";
import { countWellEnded } from "./read-table.ts";
import { referTo } from "./reference.ts";
import type { ShownPlaces } from "./shown-places.ts";
import { type Block, LEAST_BLOCK, type SourceIndex, sizeOf } from "./source-index.ts";

/** Characters of sources that may be searched for quotes, per character of the page. */
const SEARCHED = 16;
const LEAST_SEARCHED = 1_000_000;

type Library = {
  readonly index: SourceIndex;
  readonly sourceOf: (piece: number) => Source;
  /** Whether this page may refer to folded lines. */
  readonly seesFolded: boolean;
};

/**
 * A block that an earlier message contains in full is not repeated: agents read the same file after every edit. The
 * newer copy becomes the reference, so that what a provider has cached stays unchanged. Inverse: `expandLines` of the
 * tests. Bound: the index limits its comparisons by the page's pieces, and the search for quotes is limited by the
 * page's characters.
 */
export function findReferences(page: Page, { index, sourceOf, seesFolded }: Library): Replacement[] {
  const found: Replacement[] = [];
  let searchable = LEAST_SEARCHED + page.text.length * SEARCHED;

  function replace(block: Block): Replacement | null {
    const source = sourceOf(block.source);
    if (!hasNumber(source, block.source)) searchable -= source.shown.length;
    const trimmed = searchable < 0 ? null : withoutBlankEnds(page, block, source.places);
    const agreement = trimmed === null ? null : agree(page, trimmed, source.page);
    return agreement === null ? null : referTo(page, agreement, source);
  }

  for (let at = page.first; at < page.end; ) {
    const block = index.find(page, at, seesFolded);
    const replacement = block === null ? null : replace(block);
    if (replacement !== null) found.push(replacement);
    at = replacement === null ? at + 1 : replacement.first + replacement.count;
  }
  return found;
}

/** Drops lines at the ends of a block that cannot be quoted: blank ones, and those of which nothing is shown. */
function withoutBlankEnds(page: Page, block: Block, places: ShownPlaces | null): Block | null {
  const { pieces } = page;
  const isBlank = (at: number, from: number) =>
    pieces.end[at] === pieces.body[at] || (places !== null && places.from(from) === places.to(from));
  let { first, source, count } = block;
  if (page.isTable) count = countWellEnded(page, first, count);
  while (count > 0 && isBlank(first + count - 1, source + count - 1)) count--;
  while (count > 0 && isBlank(first, source)) {
    first++;
    source++;
    count--;
  }
  return sizeOf(page, first, count) < LEAST_BLOCK ? null : { first, source, count };
}
