import { assert } from "../../../../gateway/src/kit/index.ts";
import { pitchClass, SCALES } from "./scale.ts";

export type Chord = {
  /** Pitch classes, the root first. */
  readonly root: number;
  readonly tones: readonly number[];
};

const NUMERALS = ["i", "ii", "iii", "iv", "v", "vi", "vii"];

/** Semitones above the root. Without a suffix, the numeral's case means major or minor. */
const QUALITIES: ReadonlyMap<string, readonly number[]> = new Map([
  ["maj7", [0, 4, 7, 11]],
  ["maj9", [0, 4, 7, 11, 14]],
  ["7", [0, 4, 7, 10]],
  ["9", [0, 4, 7, 10, 14]],
  ["13", [0, 4, 10, 14, 21]],
  ["m7", [0, 3, 7, 10]],
  ["m9", [0, 3, 7, 10, 14]],
  ["m6", [0, 3, 7, 9]],
  ["6", [0, 4, 7, 9]],
  ["add9", [0, 4, 7, 14]],
  ["madd9", [0, 3, 7, 14]],
  ["sus2", [0, 2, 7]],
  ["sus4", [0, 5, 7]],
  ["dim", [0, 3, 6]],
  ["m7b5", [0, 3, 6, 10]],
  ["5", [0, 7]],
]);

const SYMBOL = /^(b|#)?(iv|vi{0,2}|i{1,3}|IV|VI{0,2}|I{1,3})(.*)$/;

/** A chord by its degree in the key: `I`, `vi7`, `bVII`, `iim7b5`. Degrees are those of the major scale. */
export function chordOf(symbol: string, tonic: number): Chord {
  const match = SYMBOL.exec(symbol);
  assert(match !== null, `a chord is written like vi7, not ${symbol}`);
  const [, accidental, numeral = "", suffix = ""] = match;
  const shift = accidental === "b" ? -1 : accidental === "#" ? 1 : 0;
  const step = SCALES.major[NUMERALS.indexOf(numeral.toLowerCase())] ?? 0;
  const isMinor = numeral === numeral.toLowerCase();
  const intervals = QUALITIES.get(nameOf(suffix, isMinor)) ?? (isMinor ? [0, 3, 7] : [0, 4, 7]);
  const root = pitchClass(tonic + step + shift);
  return { root, tones: intervals.map((interval) => pitchClass(root + interval)) };
}

function nameOf(suffix: string, isMinor: boolean): string {
  return isMinor && ["7", "9", "6", "add9"].includes(suffix) ? `m${suffix}` : suffix;
}
