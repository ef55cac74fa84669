import type { ImageModel } from "../../../catalog/index.ts";
import type { HttpDeps } from "../../context.ts";
import { type ImageOptions, imageOptionsFor } from "../../fields/image-options.ts";
import { mediaCallOf } from "../../fields/media-fields.ts";
import { createPieceStreams } from "../../piece-streams.ts";
import { type ApiRoute, defineRoute } from "../../route.ts";
import { resolveServedModel } from "../../served-model.ts";
import { nearestRatio, nearestTier } from "./image-size.ts";
import { decodeImages, type ImagesFields } from "./images-decode.ts";
import { imagesReply } from "./images-reply.ts";
import { IMAGES_REQUEST_EXAMPLE, imagesRequestSchema, imagesResponseSchema } from "./images-schema.ts";

const ENDPOINT = "v1-images-generations";

export function imageGenerationsRoute(
  deps: Pick<HttpDeps, "settings" | "catalog" | "generation" | "library">,
): ApiRoute {
  const { settings, catalog, generation, library } = deps;
  const streams = createPieceStreams({ stallMs: settings.stallMs, mostOpen: Number.POSITIVE_INFINITY });
  return defineRoute({
    wire: "openai",
    method: "POST",
    path: "/v1/images/generations",
    scope: "images",
    spends: true,
    bodyLimitBytes: settings.bodyBytes,
    docs: {
      operationId: "createCompatibleImage",
      summary: "Image generation",
      description: DESCRIPTION,
      body: { schema: imagesRequestSchema, alias: "image", example: IMAGES_REQUEST_EXAMPLE },
      reply: imagesResponseSchema,
    },
    decode: ({ body }) => decodeImages(body),
    resolve(fields, { organization }) {
      const served = {
        catalog,
        organization,
        id: fields.modelId,
        type: "image",
        listedAt: "/v1/models",
      } as const;
      const { model, plan } = resolveServedModel(served);
      const { prompt, n, shows, finish } = fields;
      const written = finish === undefined ? {} : { finish };
      const request = { prompt, n, ...optionsFor(model, fields), ...written };
      return { target: { model, plan, request }, shows };
    },
    modelOf: ({ target }) => target.model,
    async handle(call, { target, shows }) {
      const paid = await generation.image({ ...mediaCallOf(call, ENDPOINT), ...target });
      return imagesReply(call.requestId, paid, { shows, publicUrl: settings.publicUrl, library, streams });
    },
  });
}

/**
 * A size is only approximate: the nearest ratio and tier that the model offers are used. An explicit ratio or tier is
 * exact, and takes precedence.
 */
function optionsFor(model: ImageModel, { size, asked }: ImagesFields): ImageOptions {
  if (size === null) return imageOptionsFor(model, asked);
  return imageOptionsFor(model, {
    ...asked,
    aspectRatio: asked.aspectRatio ?? nearestRatio(size, model),
    tier: asked.tier ?? nearestTier(size, model),
  });
}

const DESCRIPTION = `Generates 1 to 10 images, following the conventions of generic clients, and keeps them in the library. You are charged for what was made: fewer images than requested cost less. \`quality\`, \`style\` and other fields that are not listed are ignored.

Replies also carry \`credits_charged\` and \`balance\`, and the same values in the headers \`x-credits-charged\` and \`x-credits-balance\` (both pools together). An error costs nothing.`;
