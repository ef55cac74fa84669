import type { Mode, ScaleName } from "../theory/scale.ts";
import type { Range } from "../theory/voicing.ts";

/** At least one, so that there is always something to pick. */
export type Some<T> = readonly [T, ...T[]];

/** What a part does in a bar. Grids are explained in `grid.ts`; of several, one is chosen for each section. */
export type Pattern =
  | { readonly kind: "melody" }
  /** The melody again, about so far away, on notes of the scale. */
  | { readonly kind: "answer"; readonly semitones: number }
  | { readonly kind: "hold" }
  | { readonly kind: "chords"; readonly grids: Some<string>; readonly strumBeats?: number }
  /** `order` names tones of the chord from the lowest; beyond its size they go on an octave higher. */
  | { readonly kind: "arpeggio"; readonly grids: Some<string>; readonly orders: Some<readonly number[]> }
  /** 1, 3, 5, 7 are tones of the chord, 8 the octave, `a` leads to the next root. */
  | { readonly kind: "bass"; readonly grids: Some<string> }
  | { readonly kind: "walk" };

export type PartRecipe = {
  readonly role: "lead" | "harmony" | "bass" | "colour";
  readonly pattern: Pattern;
  readonly programs: Some<number>;
  readonly range: Range;
  /** How loud it is against the others, when it plays. */
  readonly levelDb: number;
  /** 0 to 127, as reverb and chorus. */
  readonly pan: number;
  readonly reverb: number;
  readonly chorus?: number;
  /** Plays from this energy of a section on; absent: always. */
  readonly entersAt?: number;
  /** Steps back on each beat, for the kick drum. */
  readonly ducks?: boolean;
  /** Grows and fades within each bar. */
  readonly swells?: boolean;
};

export type DrumName =
  | "kick"
  | "snare"
  | "rim"
  | "clap"
  | "hat"
  | "pedal"
  | "open"
  | "ride"
  | "crash"
  | "floor"
  | "low"
  | "mid"
  | "high"
  | "shaker"
  | "tambourine"
  | "clave"
  | "conga"
  | "congaLow";

export type Groove = Readonly<Partial<Record<DrumName, string>>>;

export type DrumRecipe = {
  readonly kit: number;
  readonly grooves: Some<Groove>;
  /** For intros and quiet sections. */
  readonly light: Groove;
  /** In place of the groove in the last bar of a phrase. */
  readonly fills: Some<Groove>;
  readonly levelDb: number;
  readonly reverb: number;
  readonly crashes: boolean;
};

export type StyleRecipe = {
  readonly tempoBpm: readonly [number, number];
  readonly beatsPerBar: 3 | 4;
  /** How late the second half of a beat comes, as a part of the beat; a triplet is 1/6. */
  readonly swing: number;
  /** What is swung: beats (1) or halves of them (0.5). */
  readonly swingUnit: 1 | 0.5;
  readonly ringSeconds: number;
  /** Of a prompt without a mood. */
  readonly mode: Mode;
  readonly scale: Readonly<Record<Mode, ScaleName>>;
  /** One chord or more per bar, `/` between those that share one. */
  readonly progressions: Readonly<Record<Mode, Some<string>>>;
  /** The two bars before the last chord. */
  readonly cadence: Readonly<Record<Mode, string>>;
  readonly ending: Readonly<Record<Mode, string>>;
  readonly cells: Some<string>;
  readonly landings: Some<string>;
  readonly parts: readonly PartRecipe[];
  readonly drums: DrumRecipe | null;
  /** How unevenly people play: the spread of each note's start. */
  readonly looseMs: number;
};
