import { z } from "zod";
import { invalid } from "../../../kit/index.ts";
import type { ImageFinish } from "../../../providers/index.ts";

const FORMATS = ["png", "jpeg", "webp"] as const;
const BACKGROUNDS = ["auto", "transparent", "opaque"] as const;
const COMPRESSION_ACCEPTS = "must be a whole number from 0 to 100";
/** What everybody does who is asked for nothing. */
const UNCOMPRESSED = 100;

/** How a picture is to be written, for models that can be told. */
export const imageFinishFields = {
  output_format: z
    .enum(FORMATS, { error: `must be one of ${FORMATS.join(", ")}` })
    .nullish()
    .describe("What the pictures are written as, for models that can be told; a 400 for others."),
  output_compression: z
    .int({ error: COMPRESSION_ACCEPTS })
    .min(0, { error: COMPRESSION_ACCEPTS })
    .max(UNCOMPRESSED, { error: COMPRESSION_ACCEPTS })
    .nullish()
    .describe("How much of them is kept, in per cent; below 100 only beside jpeg or webp."),
  background: z
    .enum(BACKGROUNDS, { error: `must be one of ${BACKGROUNDS.join(", ")}` })
    .nullish()
    .describe("auto if absent; others for models that can be told. transparent is not beside jpeg."),
};

/** Undefined where nothing is asked for that a model does not do by itself. */
export function askedFinish(
  fields: z.output<z.ZodObject<typeof imageFinishFields>>,
): ImageFinish | undefined {
  const format = fields.output_format ?? undefined;
  const compression = fields.output_compression ?? undefined;
  const background = fields.background === "auto" ? undefined : (fields.background ?? undefined);
  const isCompressed = format === "jpeg" || format === "webp";
  if (compression !== undefined && compression < UNCOMPRESSED && !isCompressed) {
    throw invalid("output_compression", "must be 100 unless output_format is jpeg or webp");
  }
  if (background === "transparent" && format === "jpeg") {
    throw invalid("background", "must be auto or opaque where output_format is jpeg");
  }
  if (format === undefined && background === undefined) return undefined;
  return {
    ...(format === undefined ? {} : { format }),
    ...(compression === undefined || !isCompressed ? {} : { compression }),
    ...(background === undefined ? {} : { background }),
  };
}
