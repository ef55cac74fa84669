import type { GivenFile } from "../../contract/index.ts";
import {
  REFERENCES,
  type Reference,
  type SubmittedVideo,
  unusableReference,
} from "../../generation/index.ts";
import { freeBytes, invalid } from "../../kit/index.ts";
import { type LiftedTexts, longTextOf } from "../body/lifted-fields.ts";
import type { HttpDeps } from "../context.ts";
import { checkFields } from "../fields/check-fields.ts";
import { mediaCallOf } from "../fields/media-fields.ts";
import { markReply } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute } from "../route.ts";
import { resolveServedModel } from "../served-model.ts";
import { decodeReference } from "./reference-media.ts";
import {
  askedVideo,
  type GivenReferences,
  REFERENCE_FIELDS,
  saidOf,
  videoOptionsFor,
} from "./video-options.ts";
import { type VideoFields, videoBodySchema, videoSubmitReplySchema } from "./video-schema.ts";

const ENDPOINT = "api-v1-video";

export function videoRoute({
  settings,
  catalog,
  video,
}: Pick<HttpDeps, "settings" | "catalog" | "video">): ApiRoute {
  return defineRoute({
    wire: "native",
    method: "POST",
    path: `/functions/v1/${ENDPOINT}`,
    scope: "video",
    spends: true,
    bodyLimitBytes: settings.videoBodyBytes,
    liftedFields: Object.values(REFERENCE_FIELDS),
    docs: {
      operationId: "createVideo",
      summary: "Video generation",
      description:
        "Submits a job and returns at once. The estimate is held, and the job continues even if this connection is lost. Poll it by its request_id. A complete job is charged for what was made, never above the estimate; a failed job costs nothing.",
      body: { schema: videoBodySchema, alias: "video", example: VIDEO_EXAMPLE },
      reply: videoSubmitReplySchema,
      links: {
        poll: {
          operationId: "getVideo",
          parameters: { request_id: "$response.body#/request_id" },
          description: "Polls the job.",
        },
      },
    },
    decode({ body, lifted }) {
      const fields = checkFields(videoBodySchema, body);
      const references = referencesOf(fields, lifted);
      return { modelId: fields.model, asked: askedVideo(fields, references), references, lifted };
    },
    resolve({ modelId: id, asked, references, lifted }, { organization }) {
      const listedAt = "api-v1-models";
      const { model, plan } = resolveServedModel({ catalog, organization, id, type: "video", listedAt });
      return {
        model,
        plan,
        options: videoOptionsFor(model, asked, references),
        said: saidOf(asked),
        references,
        lifted,
      };
    },
    modelOf: ({ model }) => model,
    async handle(call, { lifted, ...target }) {
      // Left to the garbage collector, several such bodies would pile up.
      for (const text of lifted.values()) text.free?.();
      try {
        await checkUsable(target.references);
        const submitted = await video.submit({ ...mediaCallOf(call, ENDPOINT), ...target });
        for (const { bytes } of Object.values(target.references)) freeBytes(bytes);
        return markReply("native", jsonReply(call.requestId, submitReply(submitted)), submitted);
      } catch (error) {
        // An object store that did not answer in time may still be reading these bytes, so they are left to the
        // garbage collector, which is asked to run soon, without blocking.
        if (lifted.size > 0) Bun.gc(false);
        throw error;
      }
    },
  });
}

const KINDS = { referenceImage: "image", referenceVideo: "video", referenceAudio: "audio" } as const;

function referencesOf(fields: VideoFields, lifted: LiftedTexts): GivenReferences {
  const references: Partial<Record<Reference, GivenFile>> = {};
  for (const name of REFERENCES) {
    const field = REFERENCE_FIELDS[name];
    const text = fields[field];
    if (text === null || text === undefined) continue;
    references[name] = decodeReference(field, longTextOf(text, lifted), KINDS[name]);
  }
  return references;
}

/** Before anything is held: what cannot be used would be ignored, and charged. */
async function checkUsable(references: GivenReferences): Promise<void> {
  const name = await unusableReference(references);
  if (name === null) return;
  throw invalid(REFERENCE_FIELDS[name], `must be a whole file: this ${KINDS[name]} cannot be decoded`);
}

function submitReply({ requestId, model, estimate }: SubmittedVideo) {
  return { request_id: requestId, status: "processing", model, credits_estimate: estimate };
}

const VIDEO_EXAMPLE = {
  prompt: "Waves roll onto a beach at sunrise, gulls overhead",
  duration: 4,
  resolution: "480p",
};
