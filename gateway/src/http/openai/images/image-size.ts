import type { ImageModel } from "../../../catalog/index.ts";
import { invalid } from "../../../kit/index.ts";
import { type ResolutionTier, TIER_SIDES } from "../../../media/index.ts";

/** Clients of this wire request a size in pixels, but models take an aspect ratio and a resolution tier. */
export type PixelSize = { readonly width: number; readonly height: number };

export const SIZE_ACCEPTS =
  "must be auto or a size written WIDTHxHEIGHT, such as 1024x1024, each from 10 to 99999";
export const SIZE = /^(?:auto|([1-9]\d{1,4})x([1-9]\d{1,4}))$/;

/** Null leaves the size to the model. */
export function pixelSizeOf(size: string | null): PixelSize | null {
  if (size === null || size === "auto") return null;
  const written = SIZE.exec(size);
  if (written === null) throw invalid("size", SIZE_ACCEPTS);
  return { width: Number(written[1]), height: Number(written[2]) };
}

/** The nearest aspect ratio of the model; of two that are equally near, the one that it lists first. */
export function nearestRatio({ width, height }: PixelSize, { limits }: ImageModel): string | null {
  return nearest(limits.aspectRatios, (ratio) => {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log(across / down) - Math.log(width / height));
  });
}

/** The nearest tier by area. */
export function nearestTier({ width, height }: PixelSize, { price }: ImageModel): ResolutionTier | null {
  const side = Math.sqrt(width * height);
  return nearest([...price.units.keys()], (tier) => Math.abs(Math.log(TIER_SIDES[tier] / side)));
}

/** Distances that differ only by rounding count as equal. */
const SAME = 1e-9;

function nearest<Value>(values: readonly Value[], distanceOf: (value: Value) => number): Value | null {
  let best: Value | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const value of values) {
    const distance = distanceOf(value);
    if (distance >= bestDistance - SAME) continue;
    best = value;
    bestDistance = distance;
  }
  return best;
}
