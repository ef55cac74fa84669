import { pickOne, type Random } from "../../random.ts";

export const STYLE_NAMES = ["ambient", "classical", "pop"] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

/** In order: the first that matches is played. */
const WORDS: readonly (readonly [StyleName, RegExp])[] = [
  [
    "classical",
    /\b(?:classical|baroque|sonata|symphon|mozart|bach|beethoven|chopin|waltz|minuet|concerto|string quartet|nocturne|lullaby|cinematic|film|trailer|soundtrack|epic|orchestra|folk|celtic|medieval)/i,
  ],
  [
    "ambient",
    /\b(?:ambient|drone|meditat|sleep|space|ethereal|atmospher|new age|spa|yoga|underwater|calm|peaceful|lo-?fi|chill|lounge)/i,
  ],
  [
    "pop",
    /\b(?:pop|disco|funk|upbeat|jingle|advert|happy|cheerful|party|birthday|corporate|rock|metal|jazz|techno|house|dance)/i,
  ],
];

/** The style that the prompt names or suggests; otherwise one that fits its mood. */
export function pickStyle(
  text: string,
  mood: { readonly energy: number; readonly valence: number },
  random: Random,
): StyleName {
  const named = WORDS.find(([, pattern]) => pattern.test(text))?.[0];
  if (named !== undefined) return named;
  if (mood.energy < -0.3 || mood.valence < -0.3) return pickOne(random, ["ambient", "classical"]);
  return mood.energy > 0.4 ? "pop" : pickOne(random, STYLE_NAMES);
}
