/** Of scripts that put no blanks between words, or write endings onto them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Whether what stands there is a word of its own, or several: not "male" in "female", nor "active" in "non-active". */
export function isWholeWord(text: string, at: number, end: number): boolean {
  const [first, last] = [text[at] ?? "", text[end - 1] ?? ""];
  const [before, after] = [text[at - 1] ?? "", text[end] ?? ""];
  if (UNSPACED.test(first) && UNSPACED.test(last)) return true;
  if (joins(before, first) || joins(after, last)) return false;
  // Parts of "non-active" and of "1,250"; what follows a word after a dash only goes on with it.
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

/** Places of a phrase as whole words, at most so many; both texts in small letters. */
export function placesOf(phrase: string, text: string, most: number): number[] {
  const places: number[] = [];
  let at = phrase === "" ? -1 : text.indexOf(phrase);
  for (let tries = 0; at >= 0 && tries < most; tries++) {
    if (isWholeWord(text, at, at + phrase.length)) places.push(at);
    at = text.indexOf(phrase, at + phrase.length);
  }
  return places;
}

/** The word before a place, in small letters. */
export function wordBefore(text: string, at: number): string {
  const found = /(\p{L}{1,20})['’]?\s{1,3}["'“‘`]?$/u.exec(text.slice(Math.max(0, at - 26), at));
  return found?.[1]?.toLowerCase() ?? "";
}
