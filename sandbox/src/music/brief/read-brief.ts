import { createRandom, pickOne, seedOf } from "../../random.ts";
import { pickStyle, STYLE_NAMES, type StyleName } from "../styles/style-words.ts";
import { STYLES } from "../styles/styles.ts";
import type { Key } from "../theory/scale.ts";

/** What a prompt asks for, in musical terms. */
export type MusicBrief = {
  readonly style: StyleName;
  readonly key: Key;
  /** 1 is the style's own pace. */
  readonly pace: number;
  /** -1 is calm, 1 is wild. */
  readonly energy: number;
  readonly seed: number;
};

/** From -1 to 1 each: what reference images add to the prompt. */
export type Tint = { readonly brightness: number; readonly energy: number };

/** Keys in which the samples sound full: not too low for the bass, not too high for the lead. */
const TONICS = [0, 2, 3, 4, 5, 7, 9, 10] as const;
const MAX_READ_CHARACTERS = 4000;

const HAPPY = /\b(?:happy|joy|cheer|sunny|bright|playful|party|hope)/i;
const DARK = /\b(?:sad|dark|gloom|lonely|scary|tense|night|minor)/i;
const CALM = /\b(?:calm|gentle|soft|quiet|sleep|peace|relax)/i;
const WILD = /\b(?:epic|wild|power|intense|energ|party|dance)/i;

export function readBrief(prompt: string, style: string | null, tint: Tint | null): MusicBrief {
  const text = prompt.slice(0, MAX_READ_CHARACTERS);
  const seed = seedOf(`${style ?? ""}\n${text.trim().toLowerCase()}`);
  const random = createRandom(seed);
  const between = (up: RegExp, down: RegExp) => Number(up.test(text)) - Number(down.test(text));
  const valence = between(HAPPY, DARK) + (tint?.brightness ?? 0);
  const energy = clamp(between(WILD, CALM) * 0.7 + (tint?.energy ?? 0) * 0.6);
  const named = STYLE_NAMES.find((name) => name === style?.toLowerCase()) ?? pickStyle(text, random);
  const mode = valence > 0.15 ? "major" : valence < -0.15 ? "minor" : STYLES[named].mode;
  return {
    style: named,
    key: { tonic: pickOne(random, TONICS), mode },
    pace: 1 + 0.2 * between(/\b(?:fast|quick|upbeat|lively)/i, /\b(?:slow|ballad)/i),
    energy,
    seed,
  };
}

export function clamp(value: number): number {
  return Math.min(Math.max(value, -1), 1);
}
