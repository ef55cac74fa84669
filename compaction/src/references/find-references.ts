import { isBlank } from "../text/character-codes.ts";
import { signOf } from "../text/gutter.ts";
import { SAME, SIGN } from "../text/marks.ts";
import { FOLDED, NO_NUMBER, PADDED, type Page, type Replacement } from "../text/pieces.ts";
import { hasNumber, nameByNumbers, nameByWords, type Source } from "./place-name.ts";
import { countWellEnded } from "./read-table.ts";
import { type Block, LEAST_BLOCK, type SourceIndex, sizeOf } from "./source-index.ts";

/** Characters of sources that may be searched for quotes, per character of the page. */
const SEARCHED = 16;
const LEAST_SEARCHED = 1_000_000;
/** A reference must be at most half as long as what it replaces. */
const LEAST_RATIO = 2;

type Library = {
  readonly index: SourceIndex;
  readonly sourceOf: (piece: number) => Source;
  /** Whether this page may refer to folded lines. */
  readonly seesFolded: boolean;
};

/**
 * A block that an earlier message contains in full is not repeated: agents read the same file after every edit. The
 * newer copy becomes the reference, so that what a provider has cached stays unchanged. Inverse: `expandLines` of the
 * decoder. Bound: the index limits its comparisons by the page's pieces, and the search for quotes is limited by the
 * page's characters.
 */
export function findReferences(page: Page, { index, sourceOf, seesFolded }: Library): Replacement[] {
  const found: Replacement[] = [];
  let searchable = LEAST_SEARCHED + page.text.length * SEARCHED;
  for (let at = page.first; at < page.end; ) {
    const block = index.find(page, at, seesFolded);
    const source = block === null ? null : sourceOf(block.source);
    if (block !== null && source !== null && !hasNumber(source, block.source))
      searchable -= source.shown.length;
    const same =
      block === null || source === null || searchable < 0 ? null : agreeing(page, block, source.page);
    const replacement = same === null || source === null ? null : referTo(page, same, source);
    if (replacement !== null) found.push(replacement);
    at = replacement === null ? at + 1 : replacement.first + replacement.count;
  }
  return found;
}

/** The part of a block whose text, not only its hashes, equals its source; null if it is too short for a reference. */
function agreeing(page: Page, block: Block, source: Page): Block | null {
  let { first, source: from, count } = block;
  let same = 0;
  // What separates the pieces must be the same, too.
  const isAlike = (at: number) =>
    contentOf(page, first + at) === contentOf(source, from + at) &&
    (at === 0 || separatorOf(page, first + at) === separatorOf(source, from + at));
  while (same < count && isAlike(same)) same++;
  count = page.isTable ? countWellEnded(page, first, same) : same;
  // Empty lines cannot be quoted.
  while (count > 0 && isEmpty(page, first + count - 1)) count--;
  for (; count > 0 && isEmpty(page, first); count--) {
    first++;
    from++;
  }
  return sizeOf(page, first, count) < LEAST_BLOCK ? null : { first, source: from, count };
}

function isEmpty({ pieces }: Page, piece: number): boolean {
  return pieces.end[piece] === pieces.body[piece];
}

function contentOf({ text, pieces }: Page, piece: number): string {
  return text.slice(pieces.body[piece], pieces.end[piece]);
}

function separatorOf({ text, pieces }: Page, piece: number): string {
  const number = pieces.number[piece] as number;
  if (number >= 0 || number === PADDED) return "\n";
  return text.slice(pieces.end[piece - 1], pieces.start[piece]);
}

/** The reference to a block; null if the block cannot be named or would hardly get shorter. */
function referTo(page: Page, block: Block, source: Source): Replacement | null {
  const { pieces, text } = page;
  const { first, count } = block;
  const number = pieces.number[first] as number;
  const numbers = nameByNumbers(block, source, number);
  // The quote starts at the first word; the indentation before it stays in the text.
  const body = pieces.body[first] as number;
  let blanks = 0;
  const isWhole = numbers !== null || pieces.number[block.source] === FOLDED;
  while (!isWhole && isBlank(text.charCodeAt(body + blanks))) blanks++;
  const place = numbers ?? nameByWords(block, source, blanks);
  if (place === null) return null;
  const to = pieces.end[first + count - 1] as number;
  const isNumbered = number >= 0;
  const range = isNumbered
    ? `${number}-${number + count - 1}${signOf(page, first)}${text.slice(body, body + blanks)}`
    : "";
  const isInLine = to < text.length && text.charCodeAt(to) !== 10;
  const reference = `${range}${SAME}${place}${isInLine ? SIGN : ""}`;
  if (reference.length * LEAST_RATIO > sizeOf(page, first, count)) return null;
  const from = number === NO_NUMBER ? body + blanks : (pieces.start[first] as number);
  return { first, count, from, to, text: reference };
}
