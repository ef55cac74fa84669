import { type ImageRequest, type Sides, sidesOf } from "../../../gateway/src/contract/index.ts";

/** At more extreme ratios, one side would be longer than any screen, or too narrow to show anything. */
const MOST_RATIO = 8;

export function pictureSize(tier: ImageRequest["tier"], aspectRatio: string): Sides {
  return sidesOf({ ratio: ratioOf(aspectRatio), tier });
}

/** Width over height of `W:H`. */
export function ratioOf(aspectRatio: string): number {
  const [width = 1, height = 1] = aspectRatio.split(":").map(Number);
  const ratio = width / height;
  if (!Number.isFinite(ratio) || ratio <= 0) return 1;
  return Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, ratio));
}
