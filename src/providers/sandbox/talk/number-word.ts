const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** A small count in digits or in English words, up to `max`; undefined for anything else. */
export function countOf(word: string, max: number): number | undefined {
  const count = /^\d{1,6}$/.test(word) ? Number(word) : WORDS.indexOf(word.toLowerCase());
  return count >= 1 ? Math.min(count, max) : undefined;
}
