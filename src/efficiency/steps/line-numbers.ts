import { isDigit } from "../text/character-codes.ts";
import { NUMBERED } from "../text/marks.ts";
import type { Page } from "../text/pieces.ts";

/** Every fifth number stays, as in printed editions of law and verse. */
export const EVERY = 5;
const SPACE = 32;
/** Gutters with fewer visible lines keep all numbers. */
const LEAST_THINNED = 10;

/** Its pieces, and how many of them are replaced. */
type Gutter = { readonly first: number; readonly end: number; readonly replaced: number };

/**
 * Full gutters cost two tokens per line to say what counting says. At level `structural` a header line states the
 * range, and only every fifth number stays, and the one after a replacement. Not if a line itself starts with a
 * number and the same separator. Inverse: `expandLines` of the tests counts the lines again. Bound: each line is read
 * once.
 */
export function headerOf(page: Page, gutter: Gutter): string | null {
  const { pieces } = page;
  const lines = gutter.end - gutter.first;
  if (lines - gutter.replaced < LEAST_THINNED || saysNumbers(page, gutter)) return null;
  const number = pieces.number[gutter.first] as number;
  return `${NUMBERED}${number}-${number + lines - 1}, every ${EVERY}th numbered\n`;
}

/** Without its gutter number, such a line's own number would be taken for one. */
function saysNumbers({ text, pieces }: Page, { first, end }: Gutter): boolean {
  const sign = text.charCodeAt((pieces.body[first] as number) - 1);
  for (let piece = first; piece < end; piece++) {
    let at = pieces.body[piece] as number;
    while (text.charCodeAt(at) === SPACE) at++;
    const number = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at > number && text.charCodeAt(at) === sign) return true;
  }
  return false;
}

export function endOfGutter({ pieces, end }: Page, first: number): number {
  let at = first + 1;
  while (at < end && pieces.number[at] === (pieces.number[at - 1] as number) + 1) at++;
  return at;
}
