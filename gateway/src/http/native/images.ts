import { z } from "zod";
import { assetUrl } from "../../assets/index.ts";
import type { ImageOutcome, Paid } from "../../generation/index.ts";
import { present } from "../../kit/index.ts";
import type { HttpDeps } from "../context.ts";
import { checkFields } from "../fields/check-fields.ts";
import { askedImage, imageOptionFields } from "../fields/image-fields.ts";
import { imageOptionsFor } from "../fields/image-options.ts";
import { mediaCallOf, promptField } from "../fields/media-fields.ts";
import { modelField } from "../fields/model-id.ts";
import { encodePayment, paymentShape } from "../fields/paid-fields.ts";
import { markReply } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute } from "../route.ts";
import { resolveServedModel } from "../served-model.ts";

/** The request's fields. Unknown fields are ignored, and an optional field that is null counts as absent. */
const imagesBodySchema = z.object(
  {
    model: modelField("Id or alias of an image model."),
    prompt: promptField("What the image should show."),
    ...imageOptionFields,
  },
  { error: "must be a JSON object" },
);

const imagesReplySchema = z.strictObject({
  request_id: z.uuid(),
  model: z.string().describe("Catalog id of the model that served the call, even if an alias was sent."),
  image_url: z.url().describe("Opens without a key for as long as the image is in the library."),
  ...paymentShape,
});

const ENDPOINT = "api-v1-images";

export function imagesRoute(deps: Pick<HttpDeps, "settings" | "catalog" | "generation">): ApiRoute {
  const { settings, catalog, generation } = deps;
  return defineRoute({
    wire: "native",
    method: "POST",
    path: `/functions/v1/${ENDPOINT}`,
    scope: "images",
    spends: true,
    bodyLimitBytes: settings.bodyBytes,
    docs: {
      operationId: "createImage",
      summary: "Image generation",
      description:
        "Generates one image and keeps it in the library. Once admitted, the call finishes and is charged, even if you disconnect; a repeat with the same Idempotency-Key returns the result. An error costs nothing.",
      body: { schema: imagesBodySchema, alias: "image", example: IMAGE_EXAMPLE },
      reply: imagesReplySchema,
    },
    decode({ body }) {
      const fields = checkFields(imagesBodySchema, body);
      return { modelId: fields.model, prompt: fields.prompt, asked: askedImage(fields) };
    },
    resolve({ modelId: id, prompt, asked }, { organization }) {
      const listedAt = "api-v1-models";
      const { model, plan } = resolveServedModel({ catalog, organization, id, type: "image", listedAt });
      return { model, plan, request: { prompt, n: 1, ...imageOptionsFor(model, asked) } };
    },
    modelOf: ({ model }) => model,
    async handle(call, target) {
      const paid = await generation.image({ ...mediaCallOf(call, ENDPOINT), ...target });
      const body = imageReply(paid, settings.publicUrl);
      return markReply("native", jsonReply(call.requestId, body), paid);
    },
  });
}

function imageReply(paid: Paid<ImageOutcome>, publicUrl: string) {
  const { model, images } = paid.outcome;
  return {
    request_id: paid.requestId,
    model,
    image_url: assetUrl(publicUrl, present(images[0], "a picture")),
    ...encodePayment(paid),
  };
}

const IMAGE_EXAMPLE = {
  prompt: "A lighthouse on a cliff at dusk, seen from the sea",
  aspect_ratio: "16:9",
  resolution_tier: "1k",
};
