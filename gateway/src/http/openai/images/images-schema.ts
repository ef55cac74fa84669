import { z } from "zod";
import { imageOptionFields } from "../../fields/image-fields.ts";
import { promptField } from "../../fields/media-fields.ts";
import { modelField } from "../../fields/model-id.ts";
import { paymentShape } from "../../fields/paid-fields.ts";
import { imageFactsShape } from "./image-facts.ts";
import { imageFinishFields } from "./image-finish.ts";
import { SIZE, SIZE_ACCEPTS } from "./image-size.ts";

const MAX_IMAGES = 10;
const N_ACCEPTS = `must be a whole number from 1 to ${MAX_IMAGES}`;
const FORMATS = ["url", "b64_json"] as const;
const FORMAT_ACCEPTS = `must be one of ${FORMATS.join(", ")}`;

/** Fields of the wire that are not listed (quality, style, moderation, …) are ignored: no model prices them. */
export const imagesRequestSchema = z.object(
  {
    model: modelField("Id or alias of an image model."),
    prompt: promptField("What the images should show."),
    n: z
      .int({ error: N_ACCEPTS })
      .min(1, { error: N_ACCEPTS })
      .max(MAX_IMAGES, { error: N_ACCEPTS })
      .nullish()
      .describe("Number of images; 1 if absent. You are charged for what was made."),
    size: z
      .string({ error: SIZE_ACCEPTS })
      .regex(SIZE, { error: SIZE_ACCEPTS })
      .nullish()
      .describe(
        "WIDTHxHEIGHT or auto: served with the nearest ratio and tier that the model has. aspect_ratio and resolution_tier override it.",
      ),
    ...imageOptionFields,
    ...imageFinishFields,
    response_format: z
      .enum(FORMATS, { error: FORMAT_ACCEPTS })
      .nullish()
      .describe("Both fields if absent; the image is in the library either way."),
    stream: z
      .literal(false, { error: "must be false: images are not streamed" })
      .nullish()
      .describe("Must be false or absent: images are not streamed."),
  },
  { error: "must be a JSON object" },
);

export const imagesResponseSchema = z.strictObject({
  created: z.int(),
  ...imageFactsShape,
  data: z.array(z.strictObject({ url: z.url().optional(), b64_json: z.string().optional() })),
  ...paymentShape,
});

export const IMAGES_REQUEST_EXAMPLE = {
  prompt: "A lighthouse on a cliff at dusk, seen from the sea",
  n: 1,
  size: "1024x1024",
};
