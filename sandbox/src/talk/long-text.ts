import type { Random } from "../random.ts";
import { beginsWord, piecesWithin, splitWords } from "../words.ts";

const SENTENCES = [
  "The sandbox fills this line with plain words.",
  "Nothing here was thought up by a model.",
  "Each word leaves on its own, one after the other.",
  "A long answer is a good way to test a reader that is slow.",
  "You can stop me at any word and see what it costs.",
  "The same prompt gives the same text every time.",
  "Count the words if you like, the sandbox does so too.",
  "Whoever pays by the token may practise here for nothing.",
  "There is no end to this but the one that was asked for.",
  "Words that mean little travel just like words that matter.",
  "A configured provider would have something to say by now.",
];

/** The shortest sentence above has this many, so a number of sentences guarantees a number of words. */
const FEWEST_WORDS = 8;
/** One token in any estimate that knows English, so padding with it gives the exact number. */
const ONE_TOKEN_WORD = " on";
const PARAGRAPH_SENTENCES = 5;
/** Each pass brings the text close to its length, so two or three are enough. */
const MAX_PASSES = 16;

/** The text, shortened or padded to exactly this many tokens by the estimate. */
export function stretchToTokens(input: {
  text: string;
  tokens: number;
  random: Random;
  estimateTokens: (text: string) => number;
}): string {
  const { tokens, random, estimateTokens } = input;
  let { text } = input;
  let count = estimateTokens(text);
  for (let pass = 0; pass < MAX_PASSES && count < tokens; pass++) {
    const missing = Math.ceil((tokens - count) / 10);
    text += filler(missing, random);
    count = estimateTokens(text);
  }
  const pieces = splitWords(text);
  const kept = pieces.slice(0, piecesWithin(pieces, tokens, estimateTokens)).join("");
  return kept + ONE_TOKEN_WORD.repeat(tokens - estimateTokens(kept));
}

/** The text, padded to at least this many words. */
export function stretchToWords(text: string, words: number, random: Random): string {
  const missing = words - countWords(text);
  return missing <= 0 ? text : text + filler(Math.ceil(missing / FEWEST_WORDS), random);
}

function countWords(text: string): number {
  return splitWords(text).filter((piece, at) => beginsWord(piece, at === 0)).length;
}

/** Round-robin from a random start: no sentence repeats before all others were used. */
function filler(sentences: number, random: Random): string {
  const first = Math.floor(random() * SENTENCES.length);
  let text = "";
  for (let at = 0; at < sentences; at++) {
    text += at % PARAGRAPH_SENTENCES === PARAGRAPH_SENTENCES - 1 ? "\n\n" : " ";
    text += SENTENCES[(first + at) % SENTENCES.length];
  }
  return text;
}
