import {
  type ImageRequest,
  nearestSize,
  ProviderFailure,
  type SizeLimits,
  sidesFor,
} from "../../../contract/index.ts";
import type { Fields } from "../../../wires/index.ts";
import type { ImageHabits } from "./images-habits.ts";

/** OpenAI's own models, on any server: they differ more than their servers do. */
const GPT_IMAGE = /(?:^|\/)(?:gpt-image|chatgpt-image)/;
/** The first of them support three sizes, later ones any size. */
const THREE_SIZES = /(?:^|\/)(?:gpt-image-1(?:$|[.-])|chatgpt-image)/;
const DALL_E_3 = /(?:^|\/)dall-e-3/;
const DALL_E_2 = /(?:^|\/)dall-e-2/;

const GPT_SIZES = ["1024x1024", "1536x1024", "1024x1536"] as const;
const DALL_E_3_SIZES = ["1024x1024", "1792x1024", "1024x1792"] as const;
const GPT_LIMITS: SizeLimits = { maxPixels: 3840 * 2160, maxSide: 3840 };

type ImageTarget = { readonly model: string; readonly habits: ImageHabits };

/** The body of one call that requests `n` images. */
export function encodeImageRequest(request: ImageRequest, target: ImageTarget, n: number): Fields {
  const { model, habits } = target;
  const { prompt, negativePrompt } = request;
  return {
    model,
    prompt,
    n,
    ...shapeFields(request, target),
    ...qualityFields(request, model),
    ...finishFields(request, target),
    ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }),
    // These models always return the image inline, and refuse to be asked for it.
    ...(habits.inlineFormat === null || GPT_IMAGE.test(model)
      ? {}
      : { response_format: habits.inlineFormat }),
  };
}

/** OpenAI's later models support all of it if called the way OpenAI is; for others an unknown field may be an error. */
function finishFields({ finish = {} }: ImageRequest, { model, habits }: ImageTarget): Fields {
  const { format, compression, background } = finish;
  const isOpenai = GPT_IMAGE.test(model) && habits.shape === "size";
  if (!isOpenai && !habits.takesFinish)
    return format !== undefined && habits.formats.includes(format) ? { output_format: format } : {};
  return {
    ...(format === undefined ? {} : { output_format: format }),
    ...(compression === undefined ? {} : { output_compression: compression }),
    ...(background === undefined ? {} : { background }),
  };
}

/** DALL-E 3 makes a single image per call, whatever is requested. */
export function imagesPerCall({ model, habits }: ImageTarget): number {
  return DALL_E_3.test(model) ? 1 : habits.perCall;
}

function shapeFields(request: ImageRequest, { model, habits }: ImageTarget): Fields {
  if (habits.shape === "ratio")
    return { aspect_ratio: request.aspectRatio, resolution: tierName(request, habits) };
  if (habits.shape === "sides") return sidesFor(request);
  return { size: sizeOf(request, model) };
}

function tierName({ tier }: ImageRequest, { tierNames }: ImageHabits): string {
  const name = tierNames[tier];
  if (name !== undefined) return name;
  throw new ProviderFailure("rejected", `This model makes no images of the tier ${tier}.`);
}

function sizeOf(request: ImageRequest, model: string): string {
  if (THREE_SIZES.test(model)) return nearestSize(GPT_SIZES, request.aspectRatio);
  if (DALL_E_3.test(model)) return nearestSize(DALL_E_3_SIZES, request.aspectRatio);
  if (DALL_E_2.test(model)) return "1024x1024";
  const { width, height } = GPT_IMAGE.test(model) ? sidesFor(request, GPT_LIMITS) : sidesFor(request);
  return `${width}x${height}`;
}

/** Whether the model's tiers are qualities, and priced as such. */
export function hasQualities(model: string): boolean {
  return GPT_IMAGE.test(model) || DALL_E_3.test(model);
}

/**
 * Otherwise a model chooses the quality itself, and with it the bill. For models with few sizes, a higher tier means
 * better quality instead of more pixels.
 */
function qualityFields({ tier }: ImageRequest, model: string): Fields {
  if (GPT_IMAGE.test(model)) return { quality: tier === "1k" ? "medium" : "high" };
  if (DALL_E_3.test(model)) return { quality: tier === "1k" ? "standard" : "hd" };
  return {};
}
