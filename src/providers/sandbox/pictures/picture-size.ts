import type { ImageRequest } from "../../media-contract.ts";

export type PictureSize = { readonly width: number; readonly height: number };

const BASE_PIXELS: Readonly<Record<ImageRequest["tier"], number>> = { "1k": 1024, "2k": 2048, "4k": 4096 };
const STEP_PIXELS = 16;
/** Beyond it a side would be longer than anything shows, or nothing could be seen on it. */
const MOST_RATIO = 8;

/** The area of the tier's square, whatever the ratio; sides in steps of 16. */
export function pictureSize(tier: ImageRequest["tier"], aspectRatio: string): PictureSize {
  const base = BASE_PIXELS[tier];
  const ratio = ratioOf(aspectRatio);
  const round = (side: number) => Math.max(STEP_PIXELS, Math.round(side / STEP_PIXELS) * STEP_PIXELS);
  return { width: round(base * Math.sqrt(ratio)), height: round(base / Math.sqrt(ratio)) };
}

/** Width over height of `W:H`. */
export function ratioOf(aspectRatio: string): number {
  const [width = 1, height = 1] = aspectRatio.split(":").map(Number);
  const ratio = width / height;
  if (!Number.isFinite(ratio) || ratio <= 0) return 1;
  return Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, ratio));
}
