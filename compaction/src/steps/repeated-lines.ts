import { REPEATED } from "../text/marks.ts";
import { NO_NUMBER, type Page } from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";

/** What is omitted must be longer than the note. */
const LEAST_SAVED = 40;

/**
 * Consecutive equal lines are shown once, with a note how often the line is repeated. Inverse: `expandLines` of the
 * tests. Bound: every line is compared with the one before it.
 */
export function foldRepeatedLines(page: Page, isFree: (piece: number) => boolean): Replacement[] {
  const { text, pieces } = page;
  const found: Replacement[] = [];
  for (let at = page.first; at < page.end; ) {
    let end = at + 1;
    while (end < page.end && isSameLine(page, at, end) && isFree(end)) end++;
    const count = end - at - 1;
    const from = pieces.end[at] as number;
    const to = pieces.end[end - 1] as number;
    if (count > 0 && to - from >= LEAST_SAVED && isFree(at) && text.charCodeAt(from) === 10) {
      const note = `${REPEATED}${count} more`;
      found.push({ first: at + 1, count, from: from + 1, to, text: note, kind: "times" });
    }
    at = end;
  }
  return found;
}

function isSameLine({ text, pieces }: Page, a: number, b: number): boolean {
  if (pieces.hash[a] !== pieces.hash[b] || pieces.number[b] !== NO_NUMBER || pieces.number[a] !== NO_NUMBER)
    return false;
  return text.slice(pieces.start[a], pieces.end[a]) === text.slice(pieces.start[b], pieces.end[b]);
}
