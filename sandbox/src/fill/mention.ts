/** Scripts without spaces between words, or that attach endings to them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Whether the range consists of whole words: not "male" in "female", nor "active" in "non-active". */
export function isWholeWord(text: string, at: number, end: number): boolean {
  const [first, last] = [text[at] ?? "", text[end - 1] ?? ""];
  const [before, after] = [text[at - 1] ?? "", text[end] ?? ""];
  if (UNSPACED.test(first) && UNSPACED.test(last)) return true;
  if (joins(before, first) || joins(after, last)) return false;
  // Parts of "non-active" and of "1,250" do not count; a dash after a word is fine.
  const [earlier, later] = [text[at - 2] ?? "", text[end + 1] ?? ""];
  if (before === "-" && joins(earlier, first)) return false;
  return !isOneNumber(first, before, earlier) && !isOneNumber(last, after, later);
}

function isOneNumber(edge: string, mark: string, beyond: string): boolean {
  return /\d/.test(edge) && /[.,]/.test(mark) && /\d/.test(beyond);
}

function joins(neighbour: string, edge: string): boolean {
  return neighbour !== "" && WORD_CHARACTER.test(neighbour) && WORD_CHARACTER.test(edge);
}

/** Positions of a phrase as whole words, after at most `most` tries; both texts must be in lower case. */
export function placesOf(phrase: string, text: string, most: number): number[] {
  const places: number[] = [];
  let at = phrase === "" ? -1 : text.indexOf(phrase);
  for (let tries = 0; at >= 0 && tries < most; tries++) {
    if (isWholeWord(text, at, at + phrase.length)) places.push(at);
    at = text.indexOf(phrase, at + phrase.length);
  }
  return places;
}

/** The word before a position, in lower case. */
export function wordBefore(text: string, at: number): string {
  const found = /(\p{L}{1,20})['’]?\s{1,3}["'“‘`]?$/u.exec(text.slice(Math.max(0, at - 26), at));
  return found?.[1]?.toLowerCase() ?? "";
}
