import { assetUrl } from "../../assets/index.ts";
import type { AudioOutcome, Paid } from "../../generation/index.ts";
import type { HttpDeps } from "../context.ts";
import { checkFields } from "../fields/check-fields.ts";
import { mediaCallOf } from "../fields/media-fields.ts";
import { encodePayment } from "../fields/paid-fields.ts";
import { markReply } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute } from "../route.ts";
import { resolveServedModel } from "../served-model.ts";
import { audioOptionsFor } from "./audio-options.ts";
import { audioBodySchema, audioReplySchema } from "./audio-schema.ts";

const ENDPOINT = "api-v1-audio";

export function audioRoute(deps: Pick<HttpDeps, "settings" | "catalog" | "generation">): ApiRoute {
  const { settings, catalog, generation } = deps;
  return defineRoute({
    wire: "native",
    method: "POST",
    path: `/functions/v1/${ENDPOINT}`,
    scope: "audio",
    spends: true,
    bodyLimitBytes: settings.bodyBytes,
    docs: {
      operationId: "createAudio",
      summary: "Speech and music",
      description: DESCRIPTION,
      body: { schema: audioBodySchema, example: AUDIO_EXAMPLE },
      reply: audioReplySchema,
    },
    decode: ({ body }) => checkFields(audioBodySchema, body),
    resolve(fields, { organization }) {
      const listedAt = "api-v1-models";
      const { model, plan } = resolveServedModel({
        catalog,
        organization,
        id: fields.model,
        type: "audio",
        listedAt,
      });
      return { plan, options: audioOptionsFor(model, fields) };
    },
    modelOf: ({ options }) => options.model,
    async handle(call, { plan, options }) {
      const paid = await generation.audio({ ...mediaCallOf(call, ENDPOINT), plan, ...options });
      return markReply("native", jsonReply(call.requestId, audioReply(paid, settings.publicUrl)), paid);
    },
  });
}

function audioReply(paid: Paid<AudioOutcome>, publicUrl: string) {
  const { model, audioKind, audio } = paid.outcome;
  return {
    request_id: paid.requestId,
    model,
    audio_kind: audioKind,
    audio_url: assetUrl(publicUrl, audio),
    ...encodePayment(paid),
  };
}

const DESCRIPTION = `Generates speech or music and keeps it in the library. Speech is charged by the characters of the prompt (Unicode code points, including the speakers' names), music by the second. Once admitted, the call finishes and is charged, even if you disconnect; a repeat with the same Idempotency-Key returns the result. An error costs nothing.`;

const AUDIO_EXAMPLE = {
  model: "sandbox-voice",
  prompt: "Welcome aboard. The ferry leaves in ten minutes.",
  audio_kind: "speech",
  speed: 1,
};
