import { changeOutside } from "../fences/language-fences.ts";
import type { Voice } from "../fences/scan-fences.ts";

/**
 * Our notation at the level `structural`. A mark is a section sign with one of these words right behind it, so
 * that a reader, and the decoder of the tests, knows what is ours.
 */
export const SIGN = "§";
export const SAME = "§same as ";
export const NUMBERED = "§lines ";
export const EACH = "§each of ";
export const REPEATED = "§repeated ";
export const INDENTED = "§indented by ";
export const JSON_LINES = "§json lines\n";
export const COLUMNS = "§cols";
export const KEY = "§key";

const SIGN_CODE = SIGN.charCodeAt(0);
/** By their first letters, of which no two have the same: a text may be full of signs. */
const WORDS = wordsByLetter("same lines each repeated indented json cols key");

/**
 * Text that came in looking like a mark gets a space behind its sign, and is none any more. This is not undone
 * when read back: with a way back some messages would have to grow, and none ever does.
 */
export function escapeMarks(text: string, voice: Voice): string {
  return replaceOutside(text, voice, `${SIGN} `);
}

/** The same at less cost, for texts that the space would make longer. */
export function dropMarks(text: string, voice: Voice): string {
  return replaceOutside(text, voice, "");
}

/** In a fence in some language no mark has a meaning, and nothing changes. */
function replaceOutside(text: string, voice: Voice, by: string): string {
  return text.includes(SIGN) ? changeOutside(text, voice, (part) => replaceSigns(part, by)) : text;
}

function replaceSigns(text: string, by: string): string {
  let at = text.indexOf(SIGN);
  if (at < 0) return text;
  let written = "";
  let copied = 0;
  for (; at >= 0; at = text.indexOf(SIGN, at + 1)) {
    // Of a run of signs only the last can be one.
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
