import { NUMBERED } from "../marks.ts";
import type { Page } from "../pieces.ts";

/** Every fifth number stays, as in editions of law and verse. */
export const EVERY = 5;
/** A gutter with fewer lines to show keeps all its numbers. */
const LEAST_THINNED = 10;

/** Its pieces, and how many of them have a replacement. */
export type Gutter = { readonly first: number; readonly end: number; readonly replaced: number };

/**
 * A gutter whose numbers all stand before their lines costs two tokens a line to say what counting says. At the
 * level `structural` a line above it names its range, and only every fifth number stays, and the one behind a
 * replacement. Inverse: `expandLines` of the tests counts on. Bound: one look at each line.
 */
export function headerOf({ pieces }: Page, gutter: Gutter): string | null {
  const lines = gutter.end - gutter.first;
  if (lines - gutter.replaced < LEAST_THINNED) return null;
  const number = pieces.number[gutter.first] as number;
  return `${NUMBERED}${number}-${number + lines - 1}, every ${EVERY}th numbered\n`;
}

export function endOfGutter({ pieces, end }: Page, first: number): number {
  let at = first + 1;
  while (at < end && pieces.number[at] === (pieces.number[at - 1] as number) + 1) at++;
  return at;
}
