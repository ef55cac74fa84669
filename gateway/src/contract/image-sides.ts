import { assert } from "../kit/index.ts";
import { TIER_SIDES } from "../media/index.ts";
import type { ImageRequest } from "./media.ts";

export type Sides = { readonly width: number; readonly height: number };

/** Image models work in blocks; this is the largest size that suits all of them. */
const BLOCK = 16;

export type SizeLimits = {
  readonly maxPixels: number;
  readonly maxSide: number;
};

const NO_LIMITS: SizeLimits = {
  maxPixels: Number.POSITIVE_INFINITY,
  maxSide: Number.POSITIVE_INFINITY,
};

/** The sides of an image of this ratio with about the tier's area, as large as the limits allow. */
export function sidesFor(
  { aspectRatio, tier }: Pick<ImageRequest, "aspectRatio" | "tier">,
  limits: SizeLimits = NO_LIMITS,
): Sides {
  return sidesOf({ ratio: ratioOf(aspectRatio), tier }, limits);
}

/** The same for a numeric ratio, width over height. */
export function sidesOf(
  { ratio, tier }: { readonly ratio: number; readonly tier: ImageRequest["tier"] },
  limits: SizeLimits = NO_LIMITS,
): Sides {
  const area = Math.min(TIER_SIDES[tier] ** 2, limits.maxPixels);
  const width = Math.sqrt(area * ratio);
  const height = width / ratio;
  const shrink = Math.min(1, limits.maxSide / Math.max(width, height));
  const sides = { width: inBlocks(width * shrink), height: inBlocks(height * shrink) };
  // Both sides may have been rounded up.
  return sides.width * sides.height > limits.maxPixels ? { ...sides, width: sides.width - BLOCK } : sides;
}

/** The size in the list whose aspect ratio is nearest, on a logarithmic scale (2:1 is as far from 1:1 as 1:2). */
export function nearestSize<const Sizes extends readonly [string, ...string[]]>(
  sizes: Sizes,
  aspectRatio: string,
): Sizes[number] {
  const wanted = Math.log(ratioOf(aspectRatio));
  const distance = (size: string) => Math.abs(Math.log(ratioOf(size)) - wanted);
  return sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best));
}

function ratioOf(written: string): number {
  const [width = Number.NaN, height = Number.NaN] = written.split(/[:x]/).map(Number);
  const ratio = width / height;
  assert(ratio > 0 && Number.isFinite(ratio), "a ratio of the catalog is W:H");
  return ratio;
}

function inBlocks(side: number): number {
  return Math.max(BLOCK, Math.round(side / BLOCK) * BLOCK);
}
