import type { Rgb } from "../colour.ts";

/** Colours of a figure: its own, and a few that all figures share. */
export type Tone =
  | "main"
  | "dark"
  | "darker"
  | "light"
  | "pale"
  | "accent"
  | "accentDark"
  | "accentLight"
  | "ink"
  | "white"
  | "cream"
  | "pink"
  | "red"
  | "gold"
  | "leaf"
  | "wood"
  | "woodDark"
  | "metal"
  | "metalDark"
  | "glass"
  | "glow"
  | "blue";

/** A shape in a box of 200 by 200, as SVG path data. */
export type Part = {
  readonly tone: Tone;
  readonly path: string;
  /** A line of this width; absent if filled. */
  readonly width?: number;
  /** Also drawn mirrored, left and right exchanged. */
  readonly isMirrored?: boolean;
  /** Swings back and forth around a point. */
  readonly swing?: { readonly x: number; readonly y: number; readonly degrees: number };
};

export type Figure = {
  readonly parts: readonly Part[];
  readonly main: Rgb;
  readonly accent: Rgb;
  /** Standing, floating on water, flying or hovering in space. */
  readonly pose: "stand" | "float" | "fly" | "hover";
  /** Height of its feet or keel in the box. */
  readonly foot: number;
  /** Relative to a usual figure. */
  readonly scale: number;
};

export function shape(tone: Tone, path: string): Part {
  return { tone, path };
}

/** The same on both sides. */
export function pair(tone: Tone, path: string): Part {
  return { tone, path, isMirrored: true };
}

export function stroke(tone: Tone, width: number, path: string): Part {
  return { tone, path, width };
}

export function strokes(tone: Tone, width: number, path: string): Part {
  return { tone, path, width, isMirrored: true };
}

export function swinging(part: Part, [x, y]: readonly [number, number], degrees: number): Part {
  return { ...part, swing: { x, y, degrees } };
}

export function dot(x: number, y: number, radius: number): string {
  return oval(x, y, radius, radius);
}

export function oval(x: number, y: number, radiusX: number, radiusY: number): string {
  return `M${x - radiusX} ${y}a${radiusX} ${radiusY} 0 1 0 ${radiusX * 2} 0a${radiusX} ${radiusY} 0 1 0 ${-radiusX * 2} 0Z`;
}

export function rect(x: number, y: number, width: number, height: number, radius = 0): string {
  if (radius === 0) return `M${x} ${y}h${width}v${height}h${-width}Z`;
  const turn = `a${radius} ${radius} 0 0 1`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  return `M${x + radius} ${y}h${across}${turn} ${radius} ${radius}v${down}${turn} ${-radius} ${radius}h${-across}${turn} ${-radius} ${-radius}v${-down}${turn} ${radius} ${-radius}Z`;
}

/** Two eyes with a highlight in each. */
export function eyes(x: number, y: number, size: number): Part[] {
  return [
    pair("ink", oval(x, y, size, size * 1.2)),
    pair("white", dot(x + size * 0.3, y - size * 0.45, size * 0.36)),
  ];
}
