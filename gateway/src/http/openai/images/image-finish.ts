import { z } from "zod";
import type { ImageFinish } from "../../../contract/index.ts";

const FORMATS = ["png", "jpeg", "webp"] as const;
const BACKGROUNDS = ["auto", "transparent", "opaque"] as const;
const COMPRESSION_ACCEPTS = "must be a whole number from 0 to 100";

/** How the image file is encoded. It does not change the price, and models that do not support it ignore it. */
export const imageFinishFields = {
  output_format: z
    .enum(FORMATS, { error: `must be one of ${FORMATS.join(", ")}` })
    .nullish()
    .describe("The file format of the images, if the model supports choosing it; ignored otherwise."),
  output_compression: z
    .int({ error: COMPRESSION_ACCEPTS })
    .min(0, { error: COMPRESSION_ACCEPTS })
    .max(100, { error: COMPRESSION_ACCEPTS })
    .nullish()
    .describe("Quality of a jpeg or webp, 0 to 100, if the model supports choosing it."),
  background: z
    .enum(BACKGROUNDS, { error: `must be one of ${BACKGROUNDS.join(", ")}` })
    .nullish()
    .describe("auto if absent. Only some models support it; the others ignore it."),
};

/** Undefined if nothing is requested. */
export function askedFinish(
  fields: z.output<z.ZodObject<typeof imageFinishFields>>,
): ImageFinish | undefined {
  const { output_format: format, output_compression: compression, background } = fields;
  const finish: ImageFinish = {
    ...(format == null ? {} : { format }),
    ...(compression == null ? {} : { compression }),
    ...(background == null || background === "auto" ? {} : { background }),
  };
  return Object.keys(finish).length === 0 ? undefined : finish;
}
