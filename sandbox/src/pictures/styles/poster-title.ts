import { writable } from "../finish/fonts.ts";
import { quotedWords } from "./quoted-words.ts";

const MAX_CHARACTERS = 40;
const MAX_WORDS = 4;
const SMALL_WORDS = new Set(
  "a an the of in on at with and or for by to from poster travel vintage retro style art screen print deco postcard cover book album".split(
    " ",
  ),
);

/** The quoted text, else the meaningful words, at most four. */
export function posterTitle(caption: string): string {
  const quoted = writable(quotedWords(caption) ?? "");
  const words = quoted === "" ? meaningful(caption) : quoted.split(" ");
  return shortened(words).toUpperCase();
}

function meaningful(caption: string): string[] {
  return writable(caption)
    .replace(/[^\p{L}\p{N}\s'-]/gu, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && !SMALL_WORDS.has(word.toLowerCase()))
    .slice(0, MAX_WORDS);
}

/** As many whole words as fit; if the first alone is too long, its beginning. */
function shortened([first = "", ...others]: readonly string[]): string {
  let title = first.slice(0, MAX_CHARACTERS);
  for (const word of others) {
    if (title.length + 1 + word.length > MAX_CHARACTERS) break;
    title += ` ${word}`;
  }
  return title;
}
