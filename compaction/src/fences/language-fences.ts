import { SIGN } from "../text/marks.ts";
import { FENCED, type Page } from "../text/pieces.ts";
import { createSearch, mayHaveFences, scanFences } from "./scan-fences.ts";

/** What a client tells the model between the lines of a result, from the beginning of a line on. */
const REMINDER = /^[ \t]*<system-reminder>/gm;
const REMINDER_END = "</system-reminder>";

/**
 * A fence that is tagged with a language must not change, in any text: all of its pieces are marked. For other fences
 * the first and last lines are marked, so that they remain fences, and so is whatever has the signs of a fence in it,
 * as a quoted text in JSON may. Reminders are marked, too.
 */
export function markFences(page: Page): void {
  const { text, pieces, first, end } = page;
  mark(page, remindersOf(text));
  if (!mayHaveFences(text)) return;
  const fences = scanFences(text).filter(({ isLanguage }) => isLanguage);
  mark(page, fences);
  const next = createSearch(text);
  let at = first;
  for (let sign = next(0); sign < text.length; sign = next(pieces.end[at - 1] as number)) {
    while (at < end && (pieces.end[at] as number) <= sign) at++;
    if (at === end) return;
    pieces.number[at++] = FENCED;
  }
}

type Stretch = { readonly from: number; readonly to: number };

function mark({ pieces, first, end }: Page, stretches: readonly Stretch[]): void {
  let at = first;
  for (const { from, to } of stretches) {
    while (at < end && (pieces.end[at] as number) < from) at++;
    for (; at < end && (pieces.start[at] as number) <= to; at++) pieces.number[at] = FENCED;
  }
}

/** Unclosed ones extend to the end of the text. Bound: one pass for each sign. */
function remindersOf(text: string): Stretch[] {
  const found: Stretch[] = [];
  if (!text.includes("<system-reminder>")) return found;
  for (const { index } of text.matchAll(REMINDER)) {
    if (index < (found.at(-1)?.to ?? 0)) continue;
    const end = text.indexOf(REMINDER_END, index);
    found.push({ from: index, to: end < 0 ? text.length : end + REMINDER_END.length - 1 });
  }
  return found;
}

/** Whether a part of the text may have to stay as it is: a fence in a language, or a reminder. */
export function isKeptInPart(text: string): boolean {
  return mayHaveFences(text) || remindersOf(text).length > 0;
}

const SIGN_CODE = SIGN.charCodeAt(0);
/** Indexed by their first letters, which are all different: fast even for texts full of section signs. */
const WORDS = wordsByLetter("same lines each cols key");

/**
 * Inserts a space after the section sign of incoming text that looks like a mark. This is not reversible: with an
 * escape that could be undone some messages would grow, and none may.
 */
export function escapeMarks(text: string): string {
  return replaceMarks(text, `${SIGN} `);
}

/** Drops the section sign instead, for texts that the space would make longer. */
export function dropMarks(text: string): string {
  return replaceMarks(text, "");
}

/**
 * In fences tagged with a language marks have no meaning, and nothing changes. There is no bound on their number: a
 * mark left unescaped between them would pass for one of ours.
 */
function replaceMarks(text: string, by: string): string {
  if (!text.includes(SIGN)) return text;
  if (!mayHaveFences(text)) return replaceSigns(text, by);
  let written = "";
  let copied = 0;
  for (const { from, to, isLanguage } of scanFences(text, false, Number.POSITIVE_INFINITY)) {
    if (!isLanguage) continue;
    written += replaceSigns(text.slice(copied, from), by) + text.slice(from, to);
    copied = to;
  }
  return written + replaceSigns(text.slice(copied), by);
}

function replaceSigns(text: string, by: string): string {
  let written = "";
  let copied = 0;
  for (let at = text.indexOf(SIGN); at >= 0; at = text.indexOf(SIGN, at + 1)) {
    // In a run of section signs only the last can start a mark.
    while (text.charCodeAt(at + 1) === SIGN_CODE) at++;
    const word = WORDS[text.charCodeAt(at + 1)];
    if (word === undefined || !text.startsWith(word, at + 1)) continue;
    written += text.slice(copied, at) + by;
    copied = at + 1;
  }
  return copied === 0 ? text : written + text.slice(copied);
}

function wordsByLetter(words: string): readonly (string | undefined)[] {
  const byLetter: (string | undefined)[] = Array.from({ length: 256 });
  for (const word of words.split(" ")) byLetter[word.charCodeAt(0)] = word;
  return byLetter;
}
