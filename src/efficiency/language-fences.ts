import { FENCED, type Page } from "./pieces.ts";
import { isBlank, isFenceSign, MOST_INDENT, scanFences, type Voice } from "./scan-fences.ts";

/** By the first signs of its lines: most texts have no fence, and need not be searched for one. */
function mayHaveFences({ text, pieces, first, end }: Page, voice: Voice): boolean {
  const { start } = pieces;
  const mostBlanks = voice === "model" ? text.length : MOST_INDENT;
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

/** Changes a text outside of fences in some language only; not at all where other fences would come of it. */
export function changeOutside(text: string, voice: Voice, change: (part: string) => string): string {
  const fences = scanFences(text, voice).filter(({ isLanguage }) => isLanguage);
  if (fences.length === 0) return change(text);
  let written = "";
  let copied = 0;
  for (const { from, to } of fences) {
    written += change(text.slice(copied, from)) + text.slice(from, to);
    copied = to;
  }
  written += change(text.slice(copied));
  if (written === text) return text;
  return saidInFences(written, voice) === saidInFences(text, voice) ? written : text;
}

function saidInFences(text: string, voice: Voice): string {
  const fences = scanFences(text, voice).filter(({ isLanguage }) => isLanguage);
  return fences.map(({ from, to }) => text.slice(from, to)).join("\n");
}
