const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const MOST = 2;

/** Of the first words that have one: what stands between them, as in "B & C", is no word. */
export function initialsOf(name: string): string {
  const firsts = name.split(" ").flatMap((word) => LETTER_OR_DIGIT.exec(word)?.[0] ?? []);
  return firsts.slice(0, MOST).join("");
}
