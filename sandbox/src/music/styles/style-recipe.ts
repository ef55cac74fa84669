import type { Mode, ScaleName } from "../theory/scale.ts";
import type { Range } from "../theory/voicing.ts";

/** At least one, so that there is always something to pick. */
export type Some<T> = readonly [T, ...T[]];

/** What a part does in a bar. `grid.ts` explains grids; of several, one is chosen for each section. */
export type Pattern =
  | { readonly kind: "melody" }
  | { readonly kind: "hold" }
  | { readonly kind: "chords"; readonly grids: Some<string> }
  /** `orders` index the chord's tones from the lowest; beyond its size they continue an octave higher. */
  | { readonly kind: "arpeggio"; readonly grids: Some<string>; readonly orders: Some<readonly number[]> }
  /** 1, 3, 5, 7 are chord tones, 8 is the octave, `a` leads to the next root. */
  | { readonly kind: "bass"; readonly grids: Some<string> };

export type PartRecipe = {
  readonly role: "lead" | "harmony" | "bass" | "colour";
  readonly pattern: Pattern;
  readonly programs: Some<number>;
  readonly range: Range;
  /** Loudness relative to the other parts, when it plays. */
  readonly levelDb: number;
  /** 0 to 127, like reverb and chorus. */
  readonly pan: number;
  readonly reverb: number;
  readonly chorus?: number;
  /** Plays in sections of at least this energy; absent: always. */
  readonly entersAt?: number;
  /** Swells and fades within each bar. */
  readonly swells?: boolean;
};

export type DrumName = "kick" | "snare" | "clap" | "hat" | "crash" | "floor" | "mid" | "tambourine";

export type Groove = Readonly<Partial<Record<DrumName, string>>>;

export type DrumRecipe = {
  readonly kit: number;
  readonly grooves: Some<Groove>;
  /** For intros and quiet sections. */
  readonly light: Groove;
  /** Replaces the groove in the last bar of a phrase. */
  readonly fills: Some<Groove>;
  readonly levelDb: number;
  readonly reverb: number;
};

export type StyleRecipe = {
  readonly tempoBpm: readonly [number, number];
  readonly beatsPerBar: 4;
  readonly ringSeconds: number;
  /** For a prompt without a mood. */
  readonly mode: Mode;
  readonly scale: Readonly<Record<Mode, ScaleName>>;
  /** One or more chords per bar; `/` separates those that share one. */
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
