/** "two dice", "20 dollars", "a table for four", "three nights". */

import { hasAny, setOf, stem } from "../fill/identifier.ts";
import { countOf } from "../talk/number-word.ts";
import type { Reader } from "./argument.ts";
import type { Look } from "./look.ts";

const COUNTS = setOf("count quantity number amount times dice");
const PEOPLE = setOf(
  "party people persons guests seats passengers travelers travellers adults diners covers",
);
const WORD = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const COUNT_WORD = new RegExp(`\\b(?:${WORD})\\b`, "i");
/** Not followed by another unit, as in "for four nights". */
const FOR_PEOPLE = new RegExp(
  `\\bfor (${WORD}|\\d{1,3})(?=\\s(?:people|persons|guests|adults|passengers|diners|of us|at|by|from|in|next|on|please|this|to|today|tomorrow|tonight|under)\\b|[,.?!]|$)`,
  "i",
);
const MAX_COUNT = 999;
/** Matched as a whole: otherwise a long number would be scanned again from each of its digits. */
const SUM = "\\d[\\d.,]{0,30}(?![\\d.,])";
export const MONEY = `(?:[$€£]\\s?(?:${SUM}|\\.\\d\\d\\b)|(?<!\\d[.,]?)(?:${SUM}\\s(?:dollars?|euros?|pounds?|[A-Z]{3}\\b)|\\d[\\d,]{0,20}\\.\\d\\d\\b|${SUM}(?=\\s(?:from|to)\\b)))`;
const ANY_MONEY = new RegExp(MONEY);
/** Most words of a name that are searched for: it may have fifty. */
const MAX_NAMES = 6;

export const saidCount: Reader = ({ words }, { look }) => {
  if (words.includes("amount")) {
    const said = look.first(ANY_MONEY)?.[0].replace(/[^\d.]|\.$/g, "");
    return said === undefined ? undefined : [said.replace(/^\./, "0.")];
  }
  const word =
    countBefore(words, look) ??
    (hasAny(words, PEOPLE) ? look.first(FOR_PEOPLE)?.[1] : undefined) ??
    (hasAny(words, COUNTS) ? look.first(COUNT_WORD)?.[0] : undefined);
  const count = word === undefined ? undefined : countOf(word, MAX_COUNT);
  return count === undefined ? undefined : [String(count)];
};

/** Counts in words only; digits are read with all other numbers. */
function countBefore(words: readonly string[], look: Look): string | undefined {
  for (const name of words.slice(0, MAX_NAMES).map(stem)) {
    if (!/^[a-z]{3,}$/.test(name) || !look.says(name)) continue;
    const found = look.first(`\\b(one|${WORD}) ${name}s?\\b`)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
