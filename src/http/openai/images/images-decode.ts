import type { ImageFinish } from "../../../providers/index.ts";
import { checkFields } from "../../fields/check-fields.ts";
import { askedImage } from "../../fields/image-fields.ts";
import type { AskedImage } from "../../fields/image-options.ts";
import { askedFinish } from "./image-finish.ts";
import { type PixelSize, pixelSizeOf } from "./image-size.ts";
import { imagesRequestSchema } from "./images-schema.ts";

export type ImagesFields = {
  readonly modelId: string;
  readonly prompt: string;
  readonly n: number;
  readonly size: PixelSize | null;
  readonly asked: AskedImage;
  readonly finish: ImageFinish | undefined;
  readonly shows: ImageForm;
};

/** How an image is returned in the reply. */
export type ImageForm = "url" | "b64_json" | "both";

/** Clients written for these models send no response_format and read only b64_json. */
const ALWAYS_BASE64 = /^(chatgpt-image-|gpt-image-)/;

export function decodeImages(body: unknown): ImagesFields {
  const fields = checkFields(imagesRequestSchema, body);
  return {
    modelId: fields.model,
    prompt: fields.prompt,
    n: fields.n ?? 1,
    size: pixelSizeOf(fields.size ?? null),
    asked: askedImage(fields),
    finish: askedFinish(fields),
    shows: fields.response_format ?? (ALWAYS_BASE64.test(fields.model) ? "both" : "url"),
  };
}
