import { type Credits, present } from "../kit/index.ts";
import type { ResolutionTier } from "../media/index.ts";
import { atLeastPerRequest, count } from "./cost.ts";
import type { ImageModel, MusicModel, SpeechModel, VideoModel } from "./model.ts";
import { ceilDivide, MICROS, ZERO_RATE } from "./rate.ts";

/**
 * Media are measured before they are made. The quote applies a function to what was requested, the cost applies the
 * same function to what was made. It grows with every argument, so making less never costs more.
 */

const FULL_BASIS_POINTS = 10_000;
const MS_PER_SECOND = 1000n;

export function imageCost({
  tier,
  n,
  ...input
}: {
  readonly model: ImageModel;
  readonly tier: ResolutionTier;
  /** `W:H`. */
  readonly aspectRatio: string;
  readonly n: number;
}): Credits {
  return imagesCost({ ...input, made: [{ tier, n }] });
}

/** Cost of images that may be of several tiers. */
export function imagesCost(input: {
  readonly model: ImageModel;
  readonly made: readonly { readonly tier: ResolutionTier; readonly n: number }[];
  readonly aspectRatio: string;
}): Credits {
  const { model, made, aspectRatio } = input;
  const { price } = model;
  let units = 0;
  let metered = 0n;
  for (const { tier, n } of made) {
    units += n * present(price.units.get(tier), `tier ${tier} of ${model.id}`);
    const square = price.perImage.get(tier) ?? ZERO_RATE;
    const rate = isSquare(aspectRatio) ? square : (price.perOblongImage.get(tier) ?? square);
    metered += count(n) * rate;
  }
  return atLeastPerRequest(model, units, ceilDivide(metered, MICROS));
}

export function isSquare(aspectRatio: string): boolean {
  const [width, height] = aspectRatio.split(":");
  return width === height;
}

/** What the price of a video depends on: a model's current price, or the one at a job's submission. */
export type PricedVideo = Pick<VideoModel, "id" | "creditsPerRequest" | "price">;

export function videoCost(input: {
  readonly model: PricedVideo;
  readonly durationMs: number;
  readonly resolution: string;
  readonly sound: boolean;
  readonly draft: boolean;
}): Credits {
  const { price } = input.model;
  const rate = present(price.perSecond.get(input.resolution), `${input.resolution} of ${input.model.id}`);
  const soundPoints = input.sound ? price.soundBasisPoints : FULL_BASIS_POINTS;
  const draftPoints = input.draft ? price.draftBasisPoints : FULL_BASIS_POINTS;
  const scaled = count(input.durationMs) * rate * BigInt(soundPoints) * BigInt(draftPoints);
  const divisor = MS_PER_SECOND * MICROS * BigInt(FULL_BASIS_POINTS) ** 2n;
  return atLeastPerRequest(input.model, 1, ceilDivide(scaled, divisor));
}

export function speechCost(input: { readonly model: SpeechModel; readonly characters: number }): Credits {
  const scaled = count(input.characters) * input.model.price.perThousandCharacters;
  return atLeastPerRequest(input.model, 1, ceilDivide(scaled, 1000n * MICROS));
}

export function musicCost(input: { readonly model: MusicModel; readonly durationMs: number }): Credits {
  const scaled = count(input.durationMs) * input.model.price.perSecond;
  return atLeastPerRequest(input.model, 1, ceilDivide(scaled, MS_PER_SECOND * MICROS));
}
