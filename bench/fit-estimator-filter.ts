/** Which words the estimator's filter knows: the tokenizer's own, as far as they are worth their bits. */
import { CLASS_OF, FOREIGN } from "../compaction/src/tokens/character-class.ts";
import {
  FIRST_BIT_SHIFT,
  knows,
  LONGEST_KNOWN,
  MULTIPLIER,
  numberShift,
  SECOND_BIT_SHIFT,
} from "../compaction/src/tokens/token-filter.ts";
import { vocabulary } from "./exact-tokens.ts";

/** 128 KB. Half of it would make the error two thirds larger; twice as much would reduce it by a twentieth. */
const FILTER_BITS = 2 ** 20;

/**
 * Up to which rank words of a kind are worth their bits, by how often they occur alone in real text: the last of the
 * lower-case ones are mostly parts of words. Not derived from the corpus, so the filter contains nothing of it.
 */
const KINDS: readonly { readonly pattern: RegExp; readonly ranks: number }[] = [
  { pattern: /^\d+$/, ranks: 0 },
  { pattern: /^[a-z]+$/, ranks: 125_000 },
  { pattern: /^ [a-z]+$/, ranks: 175_000 },
  { pattern: /^[ -~\s]+$/, ranks: 200_000 },
  { pattern: /[\u3005-\ud7ff]/, ranks: 200_000 },
  { pattern: /[\u0370-\u06ff]/, ranks: 200_000 },
  { pattern: /[\u0700-\u1dff\u1f00-\u1fff\u2c00-\u2dff\uf900-\uffdc]/, ranks: 100_000 },
  { pattern: /[À-ɏḀ-ỿ]/, ranks: 125_000 },
  { pattern: /./s, ranks: 200_000 },
];

export type WordFilter = { readonly numbers: Int32Array; knows(word: string): boolean };

export function makeFilter(): WordFilter {
  const numbers = new Int32Array(FILTER_BITS / 32);
  const shift = numberShift(numbers);
  for (const word of knownWords()) {
    const hash = hashOf(word);
    const bits = (1 << ((hash >> FIRST_BIT_SHIFT) & 31)) | (1 << ((hash >> SECOND_BIT_SHIFT) & 31));
    numbers[hash >>> shift] = (numbers[hash >>> shift] ?? 0) | bits;
  }
  return {
    numbers,
    knows: (word) => word.length <= LONGEST_KNOWN && knows(numbers, shift, hashOf(word)),
  };
}

function knownWords(): ReadonlySet<string> {
  const words = new Set<string>();
  vocabulary().forEach((token, rank) => {
    if (token === null || token.length > LONGEST_KNOWN) return;
    if (rank >= (KINDS.find(({ pattern }) => pattern.test(token))?.ranks ?? 0)) return;
    // Runs of other scripts are read character by character, so every prefix of a token is looked up.
    for (let end = isForeign(token) ? 1 : token.length; end <= token.length; end++) {
      words.add(token.slice(0, end));
    }
  });
  return words;
}

function isForeign(token: string): boolean {
  return [...token].some((letter) => CLASS_OF[letter.charCodeAt(0)] === FOREIGN);
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = Math.imul((hash + word.charCodeAt(at)) | 0, MULTIPLIER);
  return hash;
}
