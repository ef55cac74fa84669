import { FENCED, type Page } from "./pieces.ts";
import { isBlank, isFenceSign, MOST_INDENT, scanFences, type Voice } from "./scan-fences.ts";

/** By the first signs of its lines: most texts have no fence, and need not be searched for one. */
function mayHaveFences({ text, pieces, first, end }: Page, voice: Voice): boolean {
  const { start } = pieces;
  const mostBlanks = voice === "tool" ? MOST_INDENT : text.length;
  for (let piece = first; piece < end; piece++) {
    let at = start[piece] as number;
    const last = at + mostBlanks;
    let code = text.charCodeAt(at);
    while (isBlank(code) && at < last) code = text.charCodeAt(++at);
    if (isFenceSign(code)) return true;
  }
  return false;
}

/**
 * A fence with the name of a language behind its opening is untouchable, in every text: its pieces are marked. Of
 * the other fences the lines that open and close them are, so that fences stay what they are.
 */
export function markFences(page: Page, voice: Voice): void {
  if (!mayHaveFences(page, voice)) return;
  const { text, pieces, first, end } = page;
  let at = first;
  for (const { from, to, isLanguage } of scanFences(text, voice)) {
    while (at < end && (pieces.start[at] as number) < from) at++;
    for (; at < end && (pieces.start[at] as number) <= to; at++) {
      const isEdge = pieces.start[at] === from || pieces.end[at] === to;
      if (isLanguage || isEdge) pieces.number[at] = FENCED;
    }
  }
}

export function hasLanguageFence(text: string, voice: Voice): boolean {
  return scanFences(text, voice).some(({ isLanguage }) => isLanguage);
}

/** Changes a text outside of fences in some language only. */
export function changeOutside(text: string, voice: Voice, change: (part: string) => string): string {
  let written = "";
  let copied = 0;
  for (const { from, to, isLanguage } of scanFences(text, voice)) {
    if (!isLanguage) continue;
    written += change(text.slice(copied, from)) + text.slice(from, to);
    copied = to;
  }
  return copied === 0 ? change(text) : written + change(text.slice(copied));
}
