import { isDigit } from "../text/character-codes.ts";
import { gutterAt, isClear, isLoose } from "../text/loose-gutter.ts";
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
  const { first, end, replaced } = gutter;
  const lines = end - first;
  if (lines - replaced < LEAST_THINNED) return null;
  const written = gutterOf(page, gutter);
  if (saysNumbers(page, gutter, written)) return null;
  const number = page.pieces.number[first] as number;
  const range = `${NUMBERED}${number}-${number + lines - 1}, every ${EVERY}th numbered`;
  if (!isLoose(written)) return `${range}\n`;
  return isClear({ page, first, end }, written) ? `${range} like "${written.name}${written.sign}"\n` : null;
}

/** As the first line with content has it: without content, a line may lack the blank after the separator. */
function gutterOf(page: Page, { first, end }: Gutter) {
  const { body, end: ends } = page.pieces;
  let piece = first;
  while (piece < end - 1 && body[piece] === ends[piece]) piece++;
  return gutterAt(page, piece);
}

/** Without its gutter number, such a line's own number would be taken for one. */
function saysNumbers(
  page: Page,
  { first, end }: Gutter,
  { name, sign }: ReturnType<typeof gutterAt>,
): boolean {
  const { text, pieces } = page;
  const plain = sign.trim() || sign;
  const isLettered = name.startsWith("L");
  for (let piece = first; piece < end; piece++) {
    let at = pieces.body[piece] as number;
    while (text.charCodeAt(at) === SPACE) at++;
    if (isLettered && text.charAt(at) === "L") at++;
    const number = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at > number && (text.startsWith(sign, at) || text.startsWith(plain, at))) return true;
  }
  return false;
}

export function endOfGutter({ pieces, end }: Page, first: number): number {
  let at = first + 1;
  while (at < end && pieces.number[at] === (pieces.number[at - 1] as number) + 1) at++;
  return at;
}
