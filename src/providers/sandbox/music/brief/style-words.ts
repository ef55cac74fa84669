import { pickOne, type Random } from "../../random.ts";

export const STYLE_NAMES = [
  "ambient",
  "bossa",
  "cinematic",
  "classical",
  "folk",
  "jazz",
  "lofi",
  "pop",
  "rock",
  "techno",
] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

/** In order: words that name a style come before those that only suggest it. */
const WORDS: readonly (readonly [StyleName, RegExp])[] = [
  ["lofi", /\b(?:lo-?fi|chillhop|study beats?|boom ?bap|hip-?hop|trip-?hop)\b/i],
  ["bossa", /\b(?:bossa|samba|brazil|latin|rumba|tropical)/i],
  ["jazz", /\b(?:jazz|swing|bebop|blues|big band|ragtime|smoky|lounge)/i],
  ["techno", /\b(?:techno|house|edm|trance|electro|rave|club|dubstep|drum and bass|dnb|synthwave|dance)/i],
  [
    "classical",
    /\b(?:classical|baroque|sonata|symphon|mozart|bach|beethoven|chopin|waltz|minuet|concerto|string quartet|nocturne|lullaby)/i,
  ],
  ["rock", /\b(?:rock|metal|punk|grunge|guitar riff|band)\b/i],
  [
    "cinematic",
    /\b(?:cinematic|film|movie|trailer|soundtrack|epic|orchestra|heroic|adventure|fantasy|battle|game)/i,
  ],
  ["folk", /\b(?:folk|country|bluegrass|celtic|irish|acoustic|campfire|americana|ballad|medieval)/i],
  [
    "ambient",
    /\b(?:ambient|drone|meditat|sleep|space|ethereal|atmospher|new age|spa|yoga|underwater|calm|peaceful)/i,
  ],
  ["pop", /\b(?:pop|disco|funk|upbeat|jingle|advert|happy|cheerful|party|birthday|corporate)/i],
];

/** The style that the prompt names or suggests; otherwise one that fits its mood. */
export function pickStyle(
  text: string,
  mood: { readonly energy: number; readonly valence: number },
  random: Random,
): StyleName {
  const named = WORDS.find(([, pattern]) => pattern.test(text))?.[0];
  if (named !== undefined) return named;
  if (mood.energy < -0.3) return pickOne(random, ["ambient", "lofi", "classical"]);
  if (mood.energy > 0.4)
    return mood.valence < -0.2 ? pickOne(random, ["cinematic", "techno"]) : pickOne(random, ["pop", "rock"]);
  if (mood.valence < -0.3) return pickOne(random, ["cinematic", "classical", "lofi"]);
  return pickOne(random, ["pop", "lofi", "folk", "bossa"]);
}
