import type { Random } from "../../random.ts";
import { darken, hex, hsl, lighten, type Rgb } from "../colour.ts";
import type { Stage } from "../stage/stage.ts";

/** Five matching colours; the first is the background. */
export type Swatches = readonly [Rgb, Rgb, Rgb, Rgb, Rgb];

const SETS = [
  "#f6efe0 #e4572e #17457a #f3a712 #76b0a5",
  "#fbf3e4 #2a9d8f #e9c46a #f4a261 #264653",
  "#171a3a #ff6b6b #feca57 #48dbfb #f8f4ff",
  "#f2e9e4 #22223b #c9ada7 #9a8c98 #e07a5f",
  "#0f2a3d #f25f5c #ffe066 #70c1b3 #f7fff7",
  "#fff1e6 #6d597a #e56b6f #eaac8b #355070",
  "#eef4ed #134074 #8da9c4 #f25c54 #f7b267",
  "#1d1a2f #9b5de5 #f15bb5 #fee440 #00bbf9",
] as const;

export function swatchesOf(stage: Stage, random: Random): Swatches {
  const [first, second] = stage.brief.colours;
  if (first !== undefined) return fromNamed(first, second, random);
  const codes = SETS[Math.floor(random() * SETS.length)] ?? SETS[0];
  const [one, two, three, four, five] = codes.split(" ").map(hex);
  const fallback: Rgb = [240, 230, 210];
  return [one ?? fallback, two ?? fallback, three ?? fallback, four ?? fallback, five ?? fallback];
}

function fromNamed(first: Rgb, second: Rgb | undefined, random: Random): Swatches {
  const other = second ?? hsl(random() * 360, 0.55, 0.6);
  const isDark = random() < 0.35;
  return [
    isDark ? darken(first, 0.75) : lighten(first, 0.86),
    first,
    other,
    lighten(first, 0.42),
    darken(other, 0.35),
  ];
}
