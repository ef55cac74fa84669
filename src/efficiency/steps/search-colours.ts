const ESCAPE = "\\u001b";

/** `grep` ends each of its colours with an erasure, which nobody writes into a file. */
const GREP = String.raw`<E>\[[\d;]*m<E>\[K`;
/** `rg` begins each with a reset: the name of a file and a number before a line, and what was found. */
const RG_PLACE = String.raw`^<E>\[0m<E>\[3[25]m([^<E>\n]*)<E>\[0m(?:([:-])<E>\[0m<E>\[32m(\d+)<E>\[0m)?`;
const RG_FOUND = String.raw`<E>\[0m<E>\[1m<E>\[31m([^<E>\n]*)<E>\[0m`;
/** `git grep` colours the sign behind them as well. */
const GIT_PLACE = String.raw`^<E>\[35m([^<E>\n]*)<E>\[m<E>\[36m([:=-])<E>\[m(?:<E>\[32m(\d+)<E>\[m<E>\[36m([:=-])<E>\[m)?`;

const ADDED = new RegExp([GREP, RG_PLACE, RG_FOUND, GIT_PLACE].join("|").replaceAll("<E>", ESCAPE), "gm");

/**
 * Drops the colours that are known to be those of the program that searched: the file may have some of its own, which are
 * edited by exact match. Inverse: none needed, they are a declared normalisation. Bound: one pass, since what stands in a
 * colour ends where the next sequence begins.
 */
export function stripSearchColours(text: string): string {
  return text.replaceAll(ADDED, "$1$2$3$4$5$6$7$8");
}
