import { chatCallOf } from "../../chat-call.ts";
import { replyToNobody } from "../../client-left.ts";
import type { HttpDeps } from "../../context.ts";
import { efficiencyOf } from "../../efficiency.ts";
import { type ApiRoute, defineRoute } from "../../route.ts";
import type { Streaming } from "../../stream-failure.ts";
import { resolveChat } from "../chat-target.ts";
import { openStream } from "../open-stream.ts";
import { CHAT_COMPLETION_STREAM } from "../stream-docs.ts";
import { wholeChatResults } from "../whole-results.ts";
import { createChatChunks } from "./chat-chunks.ts";
import { decodeChat } from "./chat-decode.ts";
import { chatReply } from "./chat-reply.ts";
import { CHAT_REQUEST_EXAMPLE, chatRequestSchema } from "./chat-request-schema.ts";
import { chatCompletionSchema } from "./chat-schema.ts";

const ENDPOINT = "v1-chat-completions";

export function chatCompletionsRoute(
  deps: Pick<HttpDeps, "settings" | "catalog" | "generation" | "callSeal"> & Streaming,
): ApiRoute {
  const { settings, catalog, generation, callSeal, eventStreams, noteFailure } = deps;
  const privateHosts = new Set(settings.privateMediaHosts);
  const decoding = { maxMessages: settings.messages, callSeal, privateHosts };
  return defineRoute({
    wire: "openai",
    method: "POST",
    path: "/v1/chat/completions",
    scope: "chat",
    spends: true,
    bodyLimitBytes: settings.compatibleBodyBytes,
    repairTexts: wholeChatResults,
    docs: {
      operationId: "createChatCompletion",
      summary: "Chat completion",
      description: DESCRIPTION,
      body: { schema: chatRequestSchema(settings.messages), alias: "fast", example: CHAT_REQUEST_EXAMPLE },
      reply: chatCompletionSchema,
      stream: CHAT_COMPLETION_STREAM,
    },
    decode: ({ body, headers }) => ({
      fields: decodeChat(body, decoding),
      efficiency: efficiencyOf(headers),
    }),
    resolve({ fields, efficiency }, { organization }) {
      return { fields, target: resolveChat(catalog, organization, fields, efficiency) };
    },
    modelOf: ({ target }) => target.model,
    async handle(call, { fields, target }) {
      const chat = chatCallOf(call, ENDPOINT, target);
      const form = { style: fields.callStyle, callSeal };
      if (!fields.isStreamed) {
        const paid = await generation.chat(chat);
        return paid === null ? replyToNobody(call.requestId) : chatReply(call.requestId, paid, form);
      }
      const stream = call.keptWith(await generation.chatStream(chat));
      const encoder = createChatChunks({
        requestId: stream.requestId,
        model: stream.model,
        n: target.prompt.n ?? 1,
        includesUsage: fields.includesUsage,
        form,
      });
      const { keepAliveMs } = settings;
      return openStream({ stream, call, encoder, eventStreams, noteFailure, keepAliveMs });
    },
  });
}

const DESCRIPTION = `Answers a conversation in the chat-completions conventions, with tools, images, files, structured output and reasoning. Fields that are not listed are passed on to providers that also speak chat completions.

Replies also carry \`credits_charged\`, \`balance\` and \`efficiency\`; in a stream they are on the usage chunk if \`include_usage\` was requested, else on the last chunk with a \`finish_reason\`. Non-streamed replies also have the headers \`x-credits-charged\` and \`x-credits-balance\` (both pools together). A limit above the model's maximum is lowered to it, and one that cannot be paid for to what is left, but not below 1,024 tokens: \`x-max-tokens-granted\` has it. An error costs nothing, except that a stream which the provider stops because of its content costs what was delivered.`;
