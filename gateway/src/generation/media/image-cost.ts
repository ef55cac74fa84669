import { type ImageModel, type Priced, pricedImages } from "../../catalog/index.ts";
import { RESOLUTION_TIERS, type ResolutionTier, TIER_SIDES } from "../../media/index.ts";

/** The size of an image that was made; null if unknown. */
type MadeImage = { readonly width: number | null; readonly height: number | null };

/**
 * The price of what was made: an image smaller than requested costs what its size does, and a larger one costs no
 * more than requested.
 */
export function priceMadeImages(input: {
  readonly model: ImageModel;
  readonly tier: ResolutionTier;
  readonly aspectRatio: string;
  readonly files: readonly MadeImage[];
}): Priced {
  const { model, tier, aspectRatio, files } = input;
  const tiers = files.map((file) => ({ tier: madeTier(file, tier, model), n: 1 }));
  const made = pricedImages({ model, made: tiers, aspectRatio });
  const asked = pricedImages({ model, made: [{ tier, n: files.length }], aspectRatio });
  return asked.cost < made.cost ? asked : made;
}

/** The largest priced tier that the image reaches, up to the requested one; the smallest if it reaches none. */
function madeTier(file: MadeImage, asked: ResolutionTier, { price }: ImageModel): ResolutionTier {
  const { width, height } = file;
  if (width === null || height === null) return asked;
  const most = RESOLUTION_TIERS.indexOf(asked);
  const made = RESOLUTION_TIERS.filter((tier, at) => at <= most && price.units.has(tier));
  return made.findLast((tier) => reaches({ width, height }, tier)) ?? made[0] ?? asked;
}

/** A tier has four times the area of the one below; half its area is the geometric mean of both. */
const LEAST_SHARE_OF_AREA = 1 / 2;
/** Some vendors name a size by its longer side: their 4k is 3840 by 2160. */
const LEAST_SHARE_OF_SIDE = 0.9;

function reaches({ width, height }: { width: number; height: number }, tier: ResolutionTier): boolean {
  const side = TIER_SIDES[tier];
  return (
    width * height >= side * side * LEAST_SHARE_OF_AREA ||
    Math.max(width, height) >= side * LEAST_SHARE_OF_SIDE
  );
}
