import { PADDED, type Page } from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";

/** Where the pieces of a page are in the text that the model sees, with some lines folded. */
export type ShownPlaces = {
  /** Whether the piece is folded: only what it does not share with its neighbours is shown. */
  isFolded(piece: number): boolean;
  /** Start and end of what is shown of the piece; equal if nothing is. */
  from(piece: number): number;
  to(piece: number): number;
};

/**
 * Null if lines have numbers, by which they are named, or if none are folded. Bound: the replacements are scanned
 * once, on first use, and the lines of a fold when one of them is needed.
 */
export function shownPlaces(page: Page, replacements: readonly Replacement[]): ShownPlaces | null {
  if (!replacements.some(({ kind }) => kind !== "reference") || hasGutter(page)) return null;
  let starts: number[] | null = null;
  const lines: number[][] = [];

  /** Where each replacement begins in the shown text. */
  function readStarts(): number[] {
    const found: number[] = [];
    let shift = 0;
    for (const { from, to, text } of replacements) {
      found.push(from + shift);
      shift += text.length - (to - from);
    }
    return found;
  }

  /** The start offsets of the lines of a fold in its text, plus the one that would come next. */
  function linesOf(at: number, text: string): number[] {
    const known = lines[at];
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) found.push(end + 1);
    found.push(text.length + 1);
    lines[at] = found;
    return found;
  }

  function place(piece: number, isEnd: boolean): number {
    starts ??= readStarts();
    const at = lastAt(replacements, piece);
    const given = (isEnd ? page.pieces.end[piece] : page.pieces.start[piece]) as number;
    const replacement = replacements[at];
    if (replacement === undefined) return given;
    const { first, count, to, text, kind } = replacement;
    const start = starts[at] as number;
    if (piece >= first + count) return given - to + start + text.length;
    if (kind !== "lines") return start;
    const line = linesOf(at, text)[piece - first + (isEnd ? 1 : 0)] as number;
    return start + line - (isEnd ? 1 : 0);
  }

  return {
    isFolded(piece) {
      const replacement = replacements[lastAt(replacements, piece)];
      return replacement !== undefined && piece < replacement.first + replacement.count;
    },
    from: (piece) => place(piece, false),
    to: (piece) => place(piece, true),
  };
}

function hasGutter({ pieces, first, end }: Page): boolean {
  for (let at = first; at < end; at++) {
    const number = pieces.number[at] as number;
    if (number >= 0 || number === PADDED) return true;
  }
  return false;
}

/** The index of the last replacement that starts at a piece or before it; -1 if there is none. */
function lastAt(replacements: readonly Replacement[], piece: number): number {
  let low = -1;
  let high = replacements.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((replacements[middle] as Replacement).first <= piece) low = middle;
    else high = middle - 1;
  }
  return low;
}
