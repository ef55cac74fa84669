import { invalid } from "../../kit/index.ts";
import { chatCallOf } from "../chat-call.ts";
import { replyToNobody } from "../client-left.ts";
import type { HttpDeps } from "../context.ts";
import { efficiencyOf } from "../efficiency.ts";
import { checkFields } from "../fields/check-fields.ts";
import { type ApiRoute, defineRoute } from "../route.ts";
import { resolveServedModel } from "../served-model.ts";
import type { Streaming } from "../stream-failure.ts";
import { chatEvents } from "./chat-events.ts";
import { chatReply } from "./chat-reply.ts";
import { chatBodySchema, chatReplySchema } from "./chat-schema.ts";
import { CHAT_STREAM } from "./chat-stream-docs.ts";
import { markReply } from "./mark-reply.ts";

const ENDPOINT = "api-v1-chat";

export function chatRoute(deps: Pick<HttpDeps, "settings" | "catalog" | "generation"> & Streaming): ApiRoute {
  const schema = chatBodySchema(deps.settings.messages);
  return defineRoute({
    wire: "native",
    method: "POST",
    path: `/functions/v1/${ENDPOINT}`,
    scope: "chat",
    spends: true,
    bodyLimitBytes: deps.settings.bodyBytes,
    docs: {
      operationId: "createChat",
      summary: "Chat completion",
      description:
        "Answers a conversation with any text model. Charged when it succeeds. An error costs nothing, except that a stream which the provider stops because of its content costs what was delivered.",
      body: { schema, alias: "fast", example: CHAT_EXAMPLE },
      reply: chatReplySchema,
      stream: CHAT_STREAM,
    },
    decode({ body, headers }) {
      const { model, messages, stream, max_tokens } = checkFields(schema, body);
      return {
        modelId: model,
        messages,
        maxTokens: max_tokens ?? null,
        isStreamed: stream ?? false,
        efficiency: efficiencyOf(headers),
      };
    },
    resolve(fields, { organization }) {
      const { catalog } = deps;
      const { modelId: id } = fields;
      const served = resolveServedModel({
        catalog,
        organization,
        id,
        type: "text",
        listedAt: "api-v1-models",
      });
      const { maxOutputTokens } = served.model.limits;
      if (fields.maxTokens !== null && fields.maxTokens > maxOutputTokens) {
        throw invalid("max_tokens", `must be a whole number from 1 to ${maxOutputTokens} for this model`);
      }
      const target = {
        model: served.model,
        plan: served.plan,
        prompt: { messages: fields.messages },
        maxTokens: fields.maxTokens,
        lowersLimit: false,
        efficiency: fields.efficiency ?? organization.efficiency,
      };
      return { target, isStreamed: fields.isStreamed };
    },
    modelOf: ({ target }) => target.model,
    async handle(call, { target, isStreamed }) {
      const { requestId } = call;
      const chat = chatCallOf(call, ENDPOINT, target);
      if (!isStreamed) {
        const paid = await deps.generation.chat(chat);
        return paid === null ? replyToNobody(requestId) : chatReply(requestId, paid);
      }
      const stream = call.keptWith(await deps.generation.chatStream(chat));
      const events = chatEvents(stream, deps.noteFailure);
      const response = deps.eventStreams.respond(requestId, events, () => call.streamEnded());
      return markReply(response, stream);
    },
  });
}

const CHAT_EXAMPLE = {
  messages: [{ role: "user", content: "Say hello in three languages." }],
  max_tokens: 256,
};
