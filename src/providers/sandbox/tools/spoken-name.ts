import { stem } from "../fill/identifier.ts";

export type TextPlace = { readonly at: number; readonly end: number };

/** Finds a name that is said as words: `delete_user` in "please delete the user 17". */
export type SpokenNames = (words: readonly string[]) => TextPlace | undefined;

type SpokenWord = TextPlace & { readonly stem: string };

/** Of one name's first word in a prompt. */
const MAX_OCCURRENCES = 32;
const MAX_WORDS_BETWEEN = 2;
const MIN_WORDS = 2;
const MAX_CHARACTERS_BEFORE = 120;

/** May stand between the words of a name and change nothing of what is meant. */
const FILLERS = new Set(
  "a all an any each every her his its me my new old our some that the their these this those us your"
    .split(" ")
    .map(stem),
);
/** Somebody asks how it is done, wants that it is not done, or tells who does it. */
const NO_REQUEST =
  /\b(?:how|what|when|where|which|who|why|not|never|don['’]t)\b|\b(?:i|we|they|who)\s{1,3}$/i;

export function createSpokenNames(text: string): SpokenNames {
  const said = [...text.matchAll(/[\p{L}\d_'’-]+/gu)].map(({ 0: word, index: at }): SpokenWord => {
    return { stem: stem(word.toLowerCase()), at, end: at + word.length };
  });
  const places = Map.groupBy(said.keys(), (at) => said[at]?.stem ?? "");
  return (words) => {
    if (words.length < MIN_WORDS) return undefined;
    const stems = words.map(stem);
    const starts = places.get(stems[0] ?? "") ?? [];
    for (const start of starts.slice(0, MAX_OCCURRENCES)) {
      const end = endOf(stems, { said, start, text });
      const at = said[start]?.at;
      if (at !== undefined && end !== undefined && isRequest(text, at)) return { at, end };
    }
    return undefined;
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

function isRequest(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_CHARACTERS_BEFORE), at);
  return !NO_REQUEST.test(before.split(/[.,;:!?\n]/).at(-1) ?? "");
}
