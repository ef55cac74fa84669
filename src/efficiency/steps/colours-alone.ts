import type { ColouredLine, Stretch, Tone } from "./coloured-lines.ts";

/** Above the changes of a file, as diff-so-fancy shows them: whole lines, without signs. */
const FANCY_HEAD = /^@ .+:\d+ @/;
/** Above the changes of a merge, which has two files or more before it. */
const MERGE_HEAD = /^(@{3,}) -/;
/** A word on a ground of its own: `PASS`. */
const BADGE = /^\s*\p{Lu}+\s*$/u;
/** It says itself how something went. */
const OUTCOME = /fail|error|fatal|warn|denied|reject|skip/i;
const WORD = /[\p{L}\p{N}]/u;
/** A sign before or among words, but none that stands between them. */
const SIGN = /^[^\p{L}\p{N}\s()[\]{}"'`,:;|/\\+<=>&~_-]+$/u;
const SIGNS = /[+-]/;

/**
 * Whether nothing but red and green tells what was removed from what was added, or what is well from what is not: in
 * what diff-so-fancy and delta show of changes, words that differ (`dwdiff -c`), and signs that are the same in both
 * colours. Levels, results and names say it in their words. Bound: each stretch is read a few times.
 */
export function isToldByColours(text: string, lines: readonly ColouredLine[]): boolean {
  const grounds = new Set<Tone>();
  const signs = { gone: new Set<string>(), come: new Set<string>() };
  let isFancy = false;
  let mergeSigns = 0;
  for (const { plain, stretches } of lines) {
    if (FANCY_HEAD.test(plain)) isFancy = true;
    const merge = MERGE_HEAD.exec(plain)?.[1];
    if (merge !== undefined) mergeSigns = merge.length - 1;
    const hasSign = SIGNS.test(plain.slice(0, mergeSigns));
    if (stretches.some(isChange) && (isFancy || (mergeSigns > 0 && !hasSign))) return true;
    if (hasPair(text, stretches)) return true;
    for (const { from, to, letters, ground, shade } of stretches) {
      const shown = text.slice(from, to);
      if (WORD.test(shown) && !BADGE.test(shown)) {
        if (shade === "gone" || shade === "come") return true;
        grounds.add(ground);
      }
      if ((letters === "gone" || letters === "come") && SIGN.test(shown.trim()))
        signs[letters].add(shown.trim());
    }
  }
  return (grounds.has("gone") && grounds.has("come")) || !signs.gone.isDisjointFrom(signs.come);
}

function isChange({ letters }: Stretch): boolean {
  return letters === "gone" || letters === "come";
}

/** A word in red, the one in green that came for it, and words of no colour before them. */
function hasPair(text: string, stretches: readonly Stretch[]): boolean {
  let hasWords = false;
  /** In red; what is behind it is a blank at the most. */
  let gone = "";
  for (const { from, to, letters } of stretches) {
    const shown = text.slice(from, to);
    if (letters === "come" && gone !== "" && WORD.test(shown)) return true;
    const isWord = WORD.test(shown);
    if (letters === "gone") gone = hasWords && isWord && !OUTCOME.test(shown) ? shown : "";
    else if (letters !== "none" || shown.trim() !== "") gone = "";
    if (letters === "none" && isWord) hasWords = true;
  }
  return false;
}
