import { isDigit } from "../text/character-codes.ts";
import { NUMBERED } from "../text/marks.ts";
import type { Page } from "../text/pieces.ts";

/** Every fifth number stays, as in editions of law and verse. */
export const EVERY = 5;
const SPACE = 32;
/** A gutter with fewer lines to show keeps all its numbers. */
const LEAST_THINNED = 10;

/** Its pieces, and how many of them have a replacement. */
type Gutter = { readonly first: number; readonly end: number; readonly replaced: number };

/**
 * A gutter whose numbers all stand before their lines costs two tokens a line to say what counting says. At the
 * level `structural` a line above it names its range, and only every fifth number stays, and the one behind a
 * replacement. Not where a line says a number with the same sign behind it itself. Inverse: `expandLines` of the
 * tests counts on. Bound: one look at each line.
 */
export function headerOf(page: Page, gutter: Gutter): string | null {
  const { pieces } = page;
  const lines = gutter.end - gutter.first;
  if (lines - gutter.replaced < LEAST_THINNED || saysNumbers(page, gutter)) return null;
  const number = pieces.number[gutter.first] as number;
  return `${NUMBERED}${number}-${number + lines - 1}, every ${EVERY}th numbered\n`;
}

/** Without its own, a line would show a number that it says as the one before it. */
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
