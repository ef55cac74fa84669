const ESCAPE = "\\u001b";

/** `grep` puts an erasure behind each of its colours and their ends, which nobody writes into a file; it may find codes. */
const GREP = String.raw`<E>\[[\d;]+m<E>\[K([^<E>\n]*(?:<E>(?!\[[\d;]*m<E>\[K)[^<E>\n]*){0,40})<E>\[m<E>\[K`;
/** `ag` puts one behind their ends. */
const AG = String.raw`<E>\[[\d;]+m([^<E>\n]*)<E>\[0m<E>\[K`;
/** `rg` begins each with a reset: the name of a file and a number before a line, and what was found. */
const RG_PLACE = String.raw`^<E>\[0m<E>\[3[25]m([^<E>\n]*)<E>\[0m(?:([:-])<E>\[0m<E>\[32m(\d+)<E>\[0m)?`;
const RG_FOUND = String.raw`<E>\[0m<E>\[1m<E>\[31m([^<E>\n]*)<E>\[0m`;
/** `git grep` colours the sign behind them as well. */
const GIT_PLACE = String.raw`^<E>\[35m([^<E>\n]*)<E>\[m<E>\[36m([:=-])<E>\[m(?:<E>\[32m(\d+)<E>\[m<E>\[36m([:=-])<E>\[m)?`;
/** What it found has this colour, where it coloured the places as well. */
const GIT_FOUND = String.raw`<E>\[1;31m([^<E>\n]*)<E>\[m`;
/** Titles and marks of terminals, and their settings. */
const SCREEN = String.raw`<E>(?:\]\d|\[\?[\d;]+[hl])`;

const ADDED = expressionOf([GREP, AG, RG_PLACE, RG_FOUND, GIT_PLACE].join("|"), "gm");
const BY_GIT = expressionOf(GIT_PLACE, "m");
const FOUND_BY_GIT = expressionOf(GIT_FOUND, "g");
const OF_SCREEN = expressionOf(SCREEN, "");

function expressionOf(form: string, flags: string): RegExp {
  return new RegExp(form.replaceAll("<E>", ESCAPE), flags);
}

/** Whether a terminal wrote a text to its screen, with more codes than those of a search. */
export function isOfScreen(text: string): boolean {
  return OF_SCREEN.test(text);
}

/**
 * Drops the colours that are known to be those of the program that searched: the file may have some of its own, which are
 * edited by exact match. Inverse: none needed, they are a declared normalisation. Bound: two passes, since what stands in a
 * colour ends where the next one begins.
 */
export function stripSearchColours(text: string): string {
  const plain = text.replaceAll(ADDED, "$1$2$3$4$5$6$7$8$9$10");
  return BY_GIT.test(text) ? plain.replaceAll(FOUND_BY_GIT, "$1") : plain;
}
