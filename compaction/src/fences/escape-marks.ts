import { SIGN } from "../text/marks.ts";
import { changeOutside } from "./language-fences.ts";

const SIGN_CODE = SIGN.charCodeAt(0);
/** Indexed by their first letters, which are all different: fast even for texts full of section signs. */
const WORDS = wordsByLetter("same lines each repeated indented json cols key");

/**
 * Inserts a space after the section sign of incoming text that looks like a mark. This is not reversible: with an
 * escape that could be undone some messages would grow, and none may.
 */
export function escapeMarks(text: string): string {
  return replaceOutside(text, `${SIGN} `);
}

/** Drops the section sign instead, for texts that the space would make longer. */
export function dropMarks(text: string): string {
  return replaceOutside(text, "");
}

/** In fences tagged with a language marks have no meaning, and nothing changes. */
function replaceOutside(text: string, by: string): string {
  return text.includes(SIGN) ? changeOutside(text, "tool", (part) => replaceSigns(part, by)) : text;
}

function replaceSigns(text: string, by: string): string {
  let at = text.indexOf(SIGN);
  if (at < 0) return text;
  let written = "";
  let copied = 0;
  for (; at >= 0; at = text.indexOf(SIGN, at + 1)) {
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
