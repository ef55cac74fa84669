import { createRandom, type Random, seedOf } from "../../random.ts";
import { STYLES } from "../styles/styles.ts";
import type { Key, Mode } from "../theory/scale.ts";
import { INSTRUMENTS, type Instrument } from "./instruments.ts";
import { clamp, readMood } from "./mood.ts";
import { pickStyle, STYLE_NAMES, type StyleName } from "./style-words.ts";

/** What a prompt asks for, in musical terms. */
export type MusicBrief = {
  readonly style: StyleName;
  readonly key: Key;
  /** Null for the style's own. */
  readonly bpm: number | null;
  /** 1 is the style's own pace. */
  readonly pace: number;
  /** -1 is calm, 1 is wild. */
  readonly energy: number;
  readonly instruments: readonly Instrument[];
  readonly isSolo: boolean;
  readonly drums: "as the style" | "never" | "always";
  readonly seed: number;
};

/** From -1 to 1 each: what reference images add to the prompt. */
export type Tint = { readonly brightness: number; readonly energy: number };

const TONICS: ReadonlyMap<string, number> = new Map([
  ["c", 0],
  ["d", 2],
  ["e", 4],
  ["f", 5],
  ["g", 7],
  ["a", 9],
  ["b", 11],
]);
const KEY_WORDS =
  /\b(?:in )?([A-Ga-g])(#|♯|b|♭| sharp| flat)?[ -](major|minor)\b|\bin ([A-G])(#|♯|b|♭| sharp| flat)?\b(?! [a-z])/;
const BPM_WORDS = /\b(\d{2,3}) ?(?:bpm|beats per minute)\b/i;
/** Keys in which the samples sound full: not too low for the bass, not too high for the lead. */
const COMMON_TONICS = [0, 2, 3, 4, 5, 7, 9, 10] as const;
const MAX_INSTRUMENTS = 4;
/** How much of a prompt is read: nobody names an instrument later. */
const MAX_READ_CHARACTERS = 4000;

export function readBrief(prompt: string, style: string | null, tint: Tint | null): MusicBrief {
  const text = prompt.slice(0, MAX_READ_CHARACTERS);
  const seed = seedOf(`${style ?? ""}\n${text.trim().toLowerCase()}`);
  const random = createRandom(seed);
  const mood = readMood(text);
  const valence = mood.valence + (tint?.brightness ?? 0);
  const energy = clamp(mood.energy + (tint?.energy ?? 0) * 0.6);
  const known = STYLE_NAMES.find((name) => name === style?.toLowerCase());
  const named = pickStyle(text, { energy, valence }, random);
  const instruments = instrumentsOf(text);
  const key = keyOf(text, random);
  return {
    style: known ?? named,
    key: { tonic: key.tonic, mode: key.mode ?? modeOf(valence, known ?? named) },
    bpm: bpmOf(text),
    pace: mood.pace,
    energy,
    instruments,
    isSolo: instruments.length === 1 && /\b(?:solo|only|just|alone|unaccompanied)\b/i.test(text),
    drums: drumsOf(text),
    seed,
  };
}

function bpmOf(text: string): number | null {
  const bpm = Number(BPM_WORDS.exec(text)?.[1]);
  return bpm >= 40 && bpm <= 220 ? bpm : null;
}

function keyOf(text: string, random: Random): { tonic: number; mode: Mode | null } {
  const common = COMMON_TONICS[Math.floor(random() * COMMON_TONICS.length)] ?? 0;
  const match = KEY_WORDS.exec(text);
  const base = TONICS.get((match?.[1] ?? match?.[4] ?? "").toLowerCase());
  if (match === null || base === undefined) {
    const mode = /\bminor\b/i.test(text) ? "minor" : /\bmajor\b/i.test(text) ? "major" : null;
    return { tonic: common, mode };
  }
  const sign = match[2] ?? match[5] ?? "";
  const shift = /#|♯|sharp/.test(sign) ? 1 : sign === "" ? 0 : -1;
  return { tonic: (base + shift + 12) % 12, mode: (match[3] as Mode | undefined) ?? "major" };
}

function modeOf(valence: number, style: StyleName): Mode {
  if (valence > 0.15) return "major";
  if (valence < -0.15) return "minor";
  return STYLES[style].mode;
}

function instrumentsOf(text: string): Instrument[] {
  let rest = text.replace(/\b(?:no|without) [a-z]+(?: or [a-z]+)?/gi, " ");
  const found: { at: number; instrument: Instrument }[] = [];
  for (const instrument of INSTRUMENTS) {
    const at = rest.search(instrument.words);
    if (at < 0) continue;
    found.push({ at, instrument });
    // `electric piano` must not be found again as a piano.
    rest = rest.replace(instrument.words, (words) => " ".repeat(words.length));
  }
  return found
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_INSTRUMENTS)
    .map(({ instrument }) => instrument);
}

function drumsOf(text: string): MusicBrief["drums"] {
  if (/\b(?:no|without) (?:drums?|percussion|beats?)\b/i.test(text)) return "never";
  return /\b(?:drums?|percussion|beats?|groove)\b/i.test(text) ? "always" : "as the style";
}
