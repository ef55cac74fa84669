/** A set of words, written as one text. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
