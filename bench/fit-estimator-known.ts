/** Which words the estimator knows: the tokenizer's own, as far as they are worth their bits. */
import { FIRST, KNOWN, LONGEST_KNOWN, learn, readBytes } from "../compaction/src/tokens/known-words.ts";
import { vocabulary } from "./exact-tokens.ts";

/**
 * Up to which rank words of a kind are worth their bits, by how often they occur alone in real text: the last of the
 * lower-case ones are mostly parts of words. Not derived from the corpus, so the table contains nothing of it.
 */
const KINDS: readonly { readonly pattern: RegExp; readonly ranks: number }[] = [
  { pattern: /^\d+$/, ranks: 0 },
  { pattern: /^[a-z]+$/, ranks: 125_000 },
  { pattern: /^ [a-z]+$/, ranks: 175_000 },
  { pattern: /^[ -~\s]+$/, ranks: 200_000 },
  { pattern: /[\u0700-\u1dff\u1f00-\u1fff\u2c00-\u2dff\uf900-\uffdc]/, ranks: 100_000 },
  { pattern: /[À-ɏḀ-ỿ]/, ranks: 125_000 },
  { pattern: /./s, ranks: 200_000 },
];

/** Makes the estimator of this process know them. */
export function learnWords(): void {
  KNOWN.fill(0);
  for (const word of wordsToKnow()) {
    const end = readBytes(word);
    if (end - FIRST > LONGEST_KNOWN) continue;
    learn(end);
  }
}

function wordsToKnow(): ReadonlySet<string> {
  const words = new Set<string>();
  vocabulary().forEach((token, rank) => {
    if (token === null || rank >= (KINDS.find(({ pattern }) => pattern.test(token))?.ranks ?? 0)) return;
    words.add(token);
    // Text beyond ASCII is read character by character, so every beginning of a token is looked up.
    const isHigh = Buffer.byteLength(token) > token.length;
    for (let end = 1; isHigh && end < token.length; end++) words.add(token.slice(0, end).toWellFormed());
  });
  return words;
}
