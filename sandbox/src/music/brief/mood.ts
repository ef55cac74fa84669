/** Both from -1 to 1; `pace` multiplies the tempo. */
type Mood = { readonly valence: number; readonly energy: number; readonly pace: number };

type Effect = {
  readonly words: RegExp;
  readonly valence?: number;
  readonly energy?: number;
  readonly pace?: number;
};

function effect(words: string, change: Omit<Effect, "words">): Effect {
  return { words: new RegExp(`\\b(?:${words})`, "i"), ...change };
}

const EFFECTS: readonly Effect[] = [
  effect("happy|happi|joy|cheer|sunny|bright|playful|fun|birthday|celebrat|summer|smil|delight", {
    valence: 0.8,
    energy: 0.3,
  }),
  effect("uplift|hope|inspir|triumph|victor|heroic|proud|optimis", { valence: 0.7, energy: 0.4 }),
  effect("love|romantic|tender|warm|cozy|cosy|sweet|nostalgi|dreamy", { valence: 0.4, energy: -0.3 }),
  effect("sad|melanchol|gloom|lonely|grief|mourn|sorrow|tragic|heartbr|rain|autumn|winter|cry", {
    valence: -0.8,
    energy: -0.3,
    pace: 0.92,
  }),
  effect("dark|evil|scary|horror|haunt|sinister|creep|spook|ominous|night|shadow|noir", { valence: -0.8 }),
  effect("tense|suspens|mysteri|anxious|danger|thrill|chase|spy", { valence: -0.6, energy: 0.3 }),
  effect("angry|aggress|furious|rage|brutal|heavy|violent", { valence: -0.5, energy: 0.8, pace: 1.06 }),
  effect(
    "calm|relax|peace|sooth|gentle|soft|quiet|meditat|sleep|lullaby|serene|tranquil|mellow|chill|still",
    { energy: -0.7, pace: 0.9 },
  ),
  effect("epic|grand|power|massive|intense|energ|driving|party|club|dance|workout|hype|wild", {
    energy: 0.7,
    pace: 1.04,
  }),
  effect("slow|adagio|largo|lento|ballad", { energy: -0.3, pace: 0.8 }),
  effect("fast|quick|allegro|presto|uptempo|up-tempo|rapid|speed|upbeat|lively|vivace", {
    energy: 0.4,
    pace: 1.2,
  }),
];

export function readMood(text: string): Mood {
  let valence = 0;
  let energy = 0;
  let pace = 1;
  for (const each of EFFECTS) {
    if (!each.words.test(text)) continue;
    valence += each.valence ?? 0;
    energy += each.energy ?? 0;
    pace *= each.pace ?? 1;
  }
  return { valence: clamp(valence), energy: clamp(energy), pace: Math.min(Math.max(pace, 0.72), 1.3) };
}

export function clamp(value: number): number {
  return Math.min(Math.max(value, -1), 1);
}
