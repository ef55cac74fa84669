import { type ImageModel, imageCost, pricedImages } from "../../catalog/index.ts";
import type { ImageReport, ImageRequest, Registry } from "../../contract/index.ts";
import { TIER_SIDES } from "../../media/index.ts";
import type { Paid } from "../outcome.ts";
import type { ResolvedCall } from "../resolved-call.ts";
import { priceMadeImages } from "./image-cost.ts";
import { commonSize, type ImageOutcome, joinedReport, keptAsset } from "./media-outcome.ts";
import type { MakeMedia } from "./media-work.ts";

/** A decoded and resolved image call: everything a wire knows about it. */
type ImageCall = ResolvedCall<ImageModel> & { readonly request: ImageRequest };

const MEGAPIXEL_SIDE = TIER_SIDES["1k"];

export type CreateImage = (call: ImageCall) => Promise<Paid<ImageOutcome>>;

type ImageDeps = { readonly makeMedia: MakeMedia; readonly registry: Pick<Registry, "image"> };

/** Charges what was made: fewer or smaller images than requested cost less. */
export function createImage({ makeMedia, registry }: ImageDeps): CreateImage {
  return (call) => {
    const { model, request } = call;
    const { tier, aspectRatio, n } = request;
    let isTierQuality = false;
    let reports: ImageReport[] = [];
    return makeMedia<ImageOutcome>({
      call,
      kind: "image",
      prompt: request.prompt,
      quote: imageCost({ model, tier, aspectRatio, n }),
      most: n,
      weight: n * (TIER_SIDES[tier] / MEGAPIXEL_SIDE) ** 2,
      ask(to) {
        const provider = registry.image(to.provider);
        // The last provider that is asked is the one that makes the images.
        isTierQuality = provider.isTierQuality?.(to.model) === true;
        reports = [];
        const note = (report: ImageReport) => void reports.push(report);
        return (upstreamModel, context) => provider.makeImages(upstreamModel, request, context, note);
      },
      price: (files) =>
        isTierQuality
          ? pricedImages({ model, made: [{ tier, n: files.length }], aspectRatio })
          : priceMadeImages({ model, tier, aspectRatio, files }),
      outcome: (assets) => ({
        model: model.id,
        images: assets.map(keptAsset),
        size: commonSize(assets),
        report: joinedReport(reports),
      }),
    });
  };
}
