export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
