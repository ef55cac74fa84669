const ESCAPE = "\\u001b";

/**
 * `grep` writes an erase sequence after each colour and its reset, which no file contains; the match may contain
 * codes.
 */
const GREP = String.raw`<E>\[[\d;]+m<E>\[K([^<E>\n]*(?:<E>(?!\[[\d;]*m<E>\[K)[^<E>\n]*){0,40})<E>\[m<E>\[K`;
/** `ag` writes one after the reset only. */
const AG = String.raw`<E>\[[\d;]+m([^<E>\n]*)<E>\[0m<E>\[K`;
/** `rg` starts each colour with a reset: file name and line number, then the match. */
const RG_PLACE = String.raw`^<E>\[0m<E>\[3[25]m([^<E>\n]*)<E>\[0m(?:([:-])<E>\[0m<E>\[32m(\d+)<E>\[0m)?`;
const RG_FOUND = String.raw`<E>\[0m<E>\[1m<E>\[31m([^<E>\n]*)<E>\[0m`;
/** `git grep` also colours the separator after them. */
const GIT_PLACE = String.raw`^<E>\[35m([^<E>\n]*)<E>\[m<E>\[36m([:=-])<E>\[m(?:<E>\[32m(\d+)<E>\[m<E>\[36m([:=-])<E>\[m)?`;
/** Its matches have this colour, if it also coloured the places. */
const GIT_FOUND = String.raw`<E>\[1;31m([^<E>\n]*)<E>\[m`;
/** Terminal titles, marks and settings. */
const SCREEN = String.raw`<E>(?:\]\d|\[\?[\d;]+[hl])`;

const ADDED = expressionOf([GREP, AG, RG_PLACE, RG_FOUND, GIT_PLACE].join("|"), "gm");
const BY_GIT = expressionOf(GIT_PLACE, "m");
const FOUND_BY_GIT = expressionOf(GIT_FOUND, "g");
const OF_SCREEN = expressionOf(SCREEN, "");

function expressionOf(form: string, flags: string): RegExp {
  return new RegExp(form.replaceAll("<E>", ESCAPE), flags);
}

/** Whether a text comes from a terminal screen, with more codes than those of a search. */
export function isOfScreen(text: string): boolean {
  return OF_SCREEN.test(text);
}

/**
 * Drops only colours that are known to come from the search program: the file may contain codes of its own, and is
 * edited by exact match. Inverse: none needed, this is a declared normalisation. Bound: two passes, since a coloured
 * text ends where the next colour begins.
 */
export function stripSearchColours(text: string): string {
  const plain = text.replaceAll(ADDED, "$1$2$3$4$5$6$7$8$9$10");
  return BY_GIT.test(text) ? plain.replaceAll(FOUND_BY_GIT, "$1") : plain;
}
