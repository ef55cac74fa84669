import { pickOne, type Random } from "../../random.ts";

export const STYLE_NAMES = ["ambient", "classical", "pop"] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

/** In order: the first that matches is played. */
const WORDS: readonly (readonly [StyleName, RegExp])[] = [
  ["classical", /\b(?:classical|waltz|sonata|symphon|orchestra|cinematic|film|trailer|epic)/i],
  ["ambient", /\b(?:ambient|meditat|sleep|space|calm|peaceful|lo-?fi|chill)/i],
  ["pop", /\b(?:pop|disco|rock|dance|jingle|happy|party|upbeat)/i],
];

/** The style that the prompt names or suggests, else any. */
export function pickStyle(text: string, random: Random): StyleName {
  return WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? pickOne(random, STYLE_NAMES);
}
