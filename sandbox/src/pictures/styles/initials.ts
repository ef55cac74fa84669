const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MOST = 2;

/** From the first words with a letter or digit: the "&" in "B & C" is not a word. */
export function initialsOf(name: string): string {
  const firsts = name.split(" ").flatMap((word) => LETTER_OR_DIGIT.exec(word)?.[0] ?? []);
  return firsts.slice(0, MOST).join("");
}
