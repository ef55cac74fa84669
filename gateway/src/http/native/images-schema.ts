import { z } from "zod";
import { imageOptionFields } from "../fields/image-fields.ts";
import { promptField } from "../fields/media-fields.ts";
import { modelField } from "../fields/model-id.ts";
import { paymentShape } from "../fields/paid-fields.ts";

/** The request's fields. Unknown fields are ignored, and an optional field that is null counts as absent. */
export const imagesBodySchema = z.object(
  {
    model: modelField("Id or alias of an image model."),
    prompt: promptField("What the image should show."),
    ...imageOptionFields,
  },
  { error: "must be a JSON object" },
);

export const imagesReplySchema = z.strictObject({
  request_id: z.uuid(),
  model: z.string().describe("Catalog id of the model that served the call, even if an alias was sent."),
  image_url: z.url().describe("Opens without a key for as long as the image is in the library."),
  ...paymentShape,
});
