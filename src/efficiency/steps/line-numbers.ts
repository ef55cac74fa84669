import { NUMBERED } from "../marks.ts";
import type { Page } from "../pieces.ts";
import type { Replacement } from "../replacement.ts";

/** Every fifth number stays, as in editions of law and verse. */
export const EVERY = 5;
/** A gutter with fewer lines to show keeps all its numbers. */
const LEAST_THINNED = 10;

/**
 * A gutter whose numbers all stand before their lines costs two tokens a line to say what counting says. At the
 * level `structural` a line above it names its range, and only every fifth number stays, and the one behind a
 * replacement. Inverse: `expandLines` of the tests counts on. Bound: one look at each line.
 */
export function headerOf(page: Page, first: number, replacements: readonly Replacement[]): string | null {
  const end = endOfGutter(page, first);
  let shown = end - first;
  for (const replacement of replacements) {
    if (replacement.first >= end) break;
    if (replacement.first >= first) shown -= replacement.count;
  }
  if (shown < LEAST_THINNED) return null;
  const number = page.pieces.number[first] as number;
  return `${NUMBERED}${number}-${number + end - first - 1}, every ${EVERY}th numbered\n`;
}

export function endOfGutter({ pieces, end }: Page, first: number): number {
  let at = first + 1;
  while (at < end && pieces.number[at] === (pieces.number[at - 1] as number) + 1) at++;
  return at;
}
