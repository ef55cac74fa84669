import type { ImageFinish } from "../../../contract/index.ts";
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

export function decodeImages(body: unknown): ImagesFields {
  const fields = checkFields(imagesRequestSchema, body);
  return {
    modelId: fields.model,
    prompt: fields.prompt,
    n: fields.n ?? 1,
    size: pixelSizeOf(fields.size ?? null),
    asked: askedImage(fields),
    finish: askedFinish(fields),
    // A client that sends no format reads either field, and an image that it does not find is paid for in vain.
    shows: fields.response_format ?? "both",
  };
}
