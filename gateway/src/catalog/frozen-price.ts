import { credits } from "../kit/index.ts";
import type { PricedVideo } from "./media-cost.ts";
import type { VideoModel } from "./model.ts";
import type { Rate } from "./rate.ts";

/**
 * A video price as plain JSON: a job is charged by the price at its submission, whatever the catalog says when it ends.
 */
export type FrozenVideoPrice = {
  readonly creditsPerRequest: number;
  /** Rates as text, because JSON has no bigint. */
  readonly perSecond: Readonly<Record<string, string>>;
  readonly soundBasisPoints: number;
  readonly draftBasisPoints: number;
};

export function freezeVideoPrice({ price, creditsPerRequest }: VideoModel): FrozenVideoPrice {
  return {
    creditsPerRequest,
    perSecond: Object.fromEntries([...price.perSecond].map(([name, rate]) => [name, String(rate)])),
    soundBasisPoints: price.soundBasisPoints,
    draftBasisPoints: price.draftBasisPoints,
  };
}

export function thawVideoPrice(modelId: string, frozen: FrozenVideoPrice): PricedVideo {
  const perSecond = Object.entries(frozen.perSecond).map(
    ([name, rate]) => [name, BigInt(rate) as Rate] as const,
  );
  return {
    id: modelId,
    creditsPerRequest: credits(frozen.creditsPerRequest),
    price: {
      perSecond: new Map(perSecond),
      soundBasisPoints: frozen.soundBasisPoints,
      draftBasisPoints: frozen.draftBasisPoints,
    },
  };
}
