/**
 * Exact counts by o200k, for benches and fits only: far too slow for a request. The tokenizer's time is quadratic in
 * the length of a word, so long runs are cut; everything else is exact.
 */
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";

/** Real words are shorter; a line of a thousand dashes is counted in pieces, at most one token too many per piece. */
const LONGEST_WORD = 256;
/** Words whose tokens are cached; then the cache is cleared. */
const MOST_REMEMBERED = 500_000;

const pattern = new RegExp(o200k.pat_str, "gu");
const tokenizer = new Tiktoken(o200k);
const remembered = new Map<string, readonly number[]>();

/** Every token of the encoding as bytes, by rank. */
const tokenBytes: readonly Buffer[] = o200k.bpe_ranks
  .split("\n")
  .flatMap((line) => line.split(" ").slice(2))
  .map((token) => Buffer.from(token, "base64"));

/** Every token of the encoding as text, by rank; null if it is only part of a character. */
export function vocabulary(): readonly (string | null)[] {
  return tokenBytes.map((bytes) => {
    const text = bytes.toString("utf8");
    return text.includes("\ufffd") ? null : text;
  });
}

export function exactTokens(text: string): number {
  let tokens = 0;
  for (const word of wordsOf(text)) tokens += tokensOf(word).length;
  return tokens;
}

function* wordsOf(text: string): Iterable<string> {
  for (const [word] of text.toWellFormed().matchAll(pattern)) {
    if (word.length <= LONGEST_WORD) yield word;
    else for (let at = 0; at < word.length; at += LONGEST_WORD) yield word.slice(at, at + LONGEST_WORD);
  }
}

/** Length in bytes of each token of a word. */
function tokensOf(word: string): readonly number[] {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const lengths = tokenizer.encode(word, [], []).map((token) => tokenBytes[token]?.length ?? 0);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(word, lengths);
  return lengths;
}
