import { FENCED, type Page, type Voice } from "../text/pieces.ts";
import { scanQuotedFences } from "./quoted-fences.ts";
import { type Fence, mayHaveFences, scanFences } from "./scan-fences.ts";

/** What a client tells the model between the lines of a result, from the beginning of a line on. */
const REMINDER = /^[ \t]*<system-reminder>/gm;
const REMINDER_END = "</system-reminder>";

/**
 * A fence that is tagged with a language must not change, in any text: all of its pieces are marked. For other fences
 * the first and last lines are marked, so that they remain fences. Fences in quoted texts are marked as well, and so
 * are reminders.
 */
export function markFences(page: Page, voice: Voice): void {
  mark(page, remindersOf(page.text));
  if (!mayHaveFences(page.text)) return;
  const { text, pieces, first, end } = page;
  const fences = scanFences(text, voice);
  let at = first;
  for (const { from, to, isLanguage } of fences) {
    while (at < end && (pieces.start[at] as number) < from) at++;
    for (; at < end && (pieces.start[at] as number) <= to; at++) {
      const isEdge = pieces.start[at] === from || pieces.end[at] === to;
      if (isLanguage || isEdge) pieces.number[at] = FENCED;
    }
  }
  mark(page, scanQuotedFences(outsideOf(text, fences)));
}

/** Without a language fence that extends to the end of the text, which is already marked. */
function outsideOf(text: string, fences: readonly Fence[]): string {
  const last = fences.at(-1);
  return last?.isLanguage && last.to === text.length ? text.slice(0, last.from) : text;
}

type Stretch = { readonly from: number; readonly to: number };

function mark({ pieces, first, end }: Page, stretches: readonly Stretch[]): void {
  let at = first;
  for (const { from, to } of stretches) {
    while (at < end && (pieces.end[at] as number) <= from) at++;
    for (; at < end && (pieces.start[at] as number) < to; at++) pieces.number[at] = FENCED;
  }
}

/** Unclosed ones extend to the end of the text. Bound: one pass for each sign. */
function remindersOf(text: string): Stretch[] {
  const found: Stretch[] = [];
  if (!text.includes("<system-reminder>")) return found;
  for (const { index } of text.matchAll(REMINDER)) {
    if (index < (found.at(-1)?.to ?? 0)) continue;
    const end = text.indexOf(REMINDER_END, index);
    found.push({ from: index, to: end < 0 ? text.length : end + REMINDER_END.length });
  }
  return found;
}

/** Whether a part of the text must stay as it is: a fence in a language, or a reminder. */
export function isKeptInPart(text: string, voice: Voice): boolean {
  if (remindersOf(text).length > 0) return true;
  if (!mayHaveFences(text)) return false;
  return scanFences(text, voice).some(({ isLanguage }) => isLanguage) || scanQuotedFences(text).length > 0;
}

/**
 * Changes a text only outside of language fences; not at all if that would create or break such fences. There is no
 * bound on their number: a mark left unescaped between them would pass for one of ours. `start` is the offset of a
 * part.
 */
export function changeOutside(
  text: string,
  voice: Voice,
  change: (part: string, start: number) => string,
): string {
  const fences = languageFences(text, voice);
  if (fences.length === 0) return change(text, 0);
  let written = "";
  let copied = 0;
  for (const { from, to } of fences) {
    written += change(text.slice(copied, from), copied) + text.slice(from, to);
    copied = to;
  }
  written += change(text.slice(copied), copied);
  if (written === text) return text;
  return saidIn(written, languageFences(written, voice)) === saidIn(text, fences) ? written : text;
}

function languageFences(text: string, voice: Voice): Fence[] {
  if (!mayHaveFences(text)) return [];
  return scanFences(text, voice, Number.POSITIVE_INFINITY).filter(({ isLanguage }) => isLanguage);
}

function saidIn(text: string, fences: readonly Fence[]): string {
  return fences.map(({ from, to }) => text.slice(from, to)).join("\n");
}
