import type { ImageRequest } from "../../media-contract.ts";

const SIDES: Readonly<Record<ImageRequest["tier"], number>> = { "1k": 1_024, "2k": 2_048, "4k": 4_096 };
/** What the models behind it count in. */
const STEP = 16;

/** The ratio with the area of the tier's square. */
export function pictureSize(aspectRatio: string, tier: ImageRequest["tier"]): `${number}x${number}` {
  const [width = 1, height = 1] = aspectRatio.split(":").map(Number);
  const side = SIDES[tier];
  const wide = Math.sqrt(width / height);
  return `${stepped(side * wide)}x${stepped(side / wide)}`;
}

function stepped(length: number): number {
  return Math.max(STEP, Math.round(length / STEP) * STEP);
}
