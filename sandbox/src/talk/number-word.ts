export const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
/** Starting with twenty. */
export const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** English words for numbers below a hundred; use it in case-insensitive expressions. */
export const NUMBER_WORD = `(?:(?:${TENS.join("|")})(?:[- ](?:${SMALL.slice(1, 10).join("|")}))?|${SMALL.toReversed().join("|")})`;
const WHOLE = new RegExp(`^${NUMBER_WORD}$`, "i");

/** A whole number below a hundred in English words; undefined for anything else. */
export function numberOfWord(word: string): number | undefined {
  if (!WHOLE.test(word)) return undefined;
  const [first = "", second = "zero"] = word.toLowerCase().split(/[- ]/);
  const tens = TENS.indexOf(first);
  return tens < 0 ? SMALL.indexOf(first) : 10 * (tens + 2) + SMALL.indexOf(second);
}

/** A small count in digits or in English words, capped at `max`; undefined for anything else. */
export function countOf(word: string, max: number): number | undefined {
  const count = /^\d{1,6}$/.test(word) ? Number(word) : (numberOfWord(word) ?? 0);
  return count >= 1 ? Math.min(count, max) : undefined;
}
