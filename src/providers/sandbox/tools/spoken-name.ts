import { stem } from "../fill/identifier.ts";
import { createWishes } from "./wish.ts";

export type TextPlace = { readonly at: number; readonly end: number };

export type SpokenName = TextPlace & {
  /** Said in the imperative; else it is only spoken of, and is not to be called. */
  readonly isWished: boolean;
  /** By another verb of the same meaning. */
  readonly isMeant: boolean;
};

/** Finds a name that is said as words: `delete_user` in "please delete the user 17". A wish goes before other mentions. */
export type SpokenNames = (words: readonly string[]) => SpokenName | undefined;

type SpokenWord = TextPlace & { readonly stem: string };

/** Of one name's first word in a prompt. */
const MAX_OCCURRENCES = 32;
const MAX_WORDS_BETWEEN = 2;
const MIN_WORDS = 2;

/** May stand between the words of a name and change nothing of what is meant. */
const FILLERS = new Set(
  "a all an any each every her his its me my new old our some that the their these this those up us your"
    .split(" ")
    .map(stem),
);
/** Verbs that are said for one another. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  ["get fetch read look show find retrieve view", "delete remove erase", "make create add"].flatMap(
    (line) => {
      const verbs = line.split(" ").map(stem);
      return verbs.map((verb) => [verb, verbs] as const);
    },
  ),
);
/** Whoever speaks of one and asks for nothing wants nothing changed; what only reads may still be described. */
const CHANGING = new Set(
  "add create delete edit erase execute make remove run send set update write".split(" ").map(stem),
);

export function createSpokenNames(text: string): SpokenNames {
  const said = [...text.matchAll(/[\p{L}\d_'’-]+/gu)].map(({ 0: word, index: at }): SpokenWord => {
    return { stem: stem(word.toLowerCase()), at, end: at + word.length };
  });
  const wishes = createWishes(text);
  const places = Map.groupBy(said.keys(), (at) => said[at]?.stem ?? "");
  return (words) => {
    if (words.length < MIN_WORDS) return undefined;
    const stems = words.map(stem);
    const [verb = ""] = stems;
    let mention: SpokenName | undefined;
    for (const each of [verb, ...(SYNONYMS.get(verb) ?? []).filter((other) => other !== verb)]) {
      for (const start of (places.get(each) ?? []).slice(0, MAX_OCCURRENCES)) {
        const end = endOf(stems, { said, start, text });
        const at = said[start]?.at;
        if (at === undefined || end === undefined) continue;
        const wish = wishes(at);
        if (wish === "called") return { at, end, isWished: true, isMeant: each !== verb };
        if (wish === "left" || CHANGING.has(verb))
          mention = { at, end, isWished: false, isMeant: each !== verb };
      }
    }
    return mention;
  };
}

type Start = { readonly said: readonly SpokenWord[]; readonly start: number; readonly text: string };

/** In the order of the name, with few and small words in between and no stop. */
function endOf(stems: readonly string[], { said, start, text }: Start): number | undefined {
  let last = start;
  for (const wanted of stems.slice(1)) {
    let next = last + 1;
    const most = next + MAX_WORDS_BETWEEN;
    while (next < most && said[next]?.stem !== wanted && FILLERS.has(said[next]?.stem ?? "")) next++;
    const [from, to] = [said[last]?.end, said[next]];
    if (to?.stem !== wanted || !/^[\s\p{L}"`“”]*$/u.test(text.slice(from, to.at))) return undefined;
    last = next;
  }
  return said[last]?.end;
}
