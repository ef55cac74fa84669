import { numberIn } from "./number-in.ts";

const MIN_NAME_LETTERS = 3;

/**
 * "The invoice totals $1,250": finds the numbers that directly follow the last word of an argument's name. Each word is
 * searched once: thousands of arguments of a schema may end with it.
 */
export function createNumbersAfter(
  text: string,
): (name: readonly string[]) => ReadonlySet<number> | undefined {
  const lowered = text.toLowerCase();
  const known = new Map<string, ReadonlySet<number>>();
  return (name) => {
    const word = name.at(-1) ?? "";
    if (!/^[a-z]+$/.test(word) || word.length < MIN_NAME_LETTERS || !lowered.includes(word)) return undefined;
    const found = known.get(word) ?? new Set(numbersOf(word, lowered));
    known.set(word, found);
    return found;
  };
}

function numbersOf(word: string, text: string): number[] {
  const number = "([$€£]?-?\\d[\\d,]{0,20}(?:\\.\\d{1,15})?)(?!\\w)";
  const shape = new RegExp(`\\b${word}s?\\s(?:(?:is|was|of)\\s)?${number}`, "g");
  return [...text.matchAll(shape)].flatMap(([, written = ""]) => numberIn(written.replace(/,$/, "")) ?? []);
}
