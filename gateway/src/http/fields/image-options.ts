import type { ImageModel } from "../../catalog/index.ts";
import { invalid, present } from "../../kit/index.ts";
import type { ResolutionTier } from "../../media/index.ts";
import { oneOfModel } from "./media-fields.ts";

/** Image options that a request may set, on both interfaces. Null if not set. */
export type AskedImage = {
  readonly negativePrompt: string | null;
  readonly aspectRatio: string | null;
  readonly tier: ResolutionTier | null;
};

export type ImageOptions = {
  readonly negativePrompt?: string;
  readonly aspectRatio: string;
  readonly tier: ResolutionTier;
};

const USUAL_RATIO = "1:1";
const USUAL_TIER: ResolutionTier = "1k";

/** Refuses options that the model does not have. Defaults are 1:1 and 1k, or else the model's first. */
export function imageOptionsFor(model: ImageModel, asked: AskedImage): ImageOptions {
  const { aspectRatios } = model.limits;
  const tiers = [...model.price.units.keys()];
  const aspectRatio = asked.aspectRatio ?? usualOf(USUAL_RATIO, aspectRatios);
  const tier = asked.tier ?? usualOf(USUAL_TIER, tiers);
  oneOfModel("aspect_ratio", aspectRatio, aspectRatios);
  oneOfModel("resolution_tier", tier, tiers);
  if (asked.negativePrompt === null) return { aspectRatio, tier };
  if (!model.capabilities.includes("negative_prompt")) {
    throw invalid("negative_prompt", "this model takes none");
  }
  return { aspectRatio, tier, negativePrompt: asked.negativePrompt };
}

function usualOf<Value extends string>(usual: Value, known: readonly Value[]): Value {
  return known.includes(usual) ? usual : present(known[0], "what a model has at least one of");
}
