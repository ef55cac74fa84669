import { type ImageModel, type Priced, pricedImages } from "../../catalog/index.ts";
import { RESOLUTION_TIERS, type ResolutionTier, TIER_SIDES } from "../../kit/index.ts";

/** What of a made picture bears on its cost; null where nobody knows. */
type MadeImage = { readonly width: number | null; readonly height: number | null };

/** The price of what was made: a picture that is smaller than was asked for costs what its size does, none costs more. */
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

/** The largest tier that it reaches, of those that are made and not above the one that was asked for; the least otherwise. */
function madeTier(file: MadeImage, asked: ResolutionTier, { price }: ImageModel): ResolutionTier {
  const { width, height } = file;
  if (width === null || height === null) return asked;
  const most = RESOLUTION_TIERS.indexOf(asked);
  const made = RESOLUTION_TIERS.filter((tier, at) => at <= most && price.units.has(tier));
  return made.findLast((tier) => reaches({ width, height }, tier)) ?? made[0] ?? asked;
}

/** Tiers are twice as wide as the one below: nearer to this one than to that. */
const LEAST_SHARE_OF_AREA = 1 / 2;
/** Some call a picture by its longer side: 3840 by 2160 is theirs of 4k. */
const LEAST_SHARE_OF_SIDE = 0.9;

function reaches({ width, height }: { width: number; height: number }, tier: ResolutionTier): boolean {
  const side = TIER_SIDES[tier];
  return (
    width * height >= side * side * LEAST_SHARE_OF_AREA ||
    Math.max(width, height) >= side * LEAST_SHARE_OF_SIDE
  );
}
