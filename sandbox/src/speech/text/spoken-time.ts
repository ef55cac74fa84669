import type { SpokenSentence } from "./sentences.ts";

/** Average of all voices. */
const LETTER_MS = 65;
/** Words without a vowel are spelled. */
const SPELLED_LETTER_MS = 400;
const COMMA_MS = 180;
const SHORTEST_SENTENCE_MS = 500;

/** The estimated duration at normal speed, pauses included. */
export function spokenMs(sentences: readonly SpokenSentence[]): number {
  return sentences.reduce((sum, { text, pauseMs }) => sum + sentenceMs(text) + pauseMs, 0);
}

function sentenceMs(text: string): number {
  const words = text.match(/[A-Za-z']+/g) ?? [];
  const commas = text.split(",").length - 1;
  const wordsMs = words.reduce((sum, word) => sum + wordMs(word), 0);
  return Math.max(SHORTEST_SENTENCE_MS, wordsMs + commas * COMMA_MS);
}

function wordMs(word: string): number {
  return /[aeiouy]/i.test(word) ? (word.length + 1) * LETTER_MS : word.length * SPELLED_LETTER_MS;
}
