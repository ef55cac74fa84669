import { z } from "zod";
import type { FinishReason } from "../../contract/index.ts";
import type { ChatOutcome, ChatPrompt, ChatStream, ChatStreamPart, Paid } from "../../generation/index.ts";
import { ERROR_CODES, encodeSseEvent, invalid, unreachable } from "../../kit/index.ts";
import { writtenPartsIn } from "../body/written-parts.ts";
import { chatCallOf } from "../chat-call.ts";
import { replyToNobody } from "../client-left.ts";
import type { HttpDeps } from "../context.ts";
import { efficiencyOf } from "../efficiency.ts";
import type { EventSource } from "../event-stream.ts";
import { checkFields } from "../fields/check-fields.ts";
import { encodeCharge, encodeStopped, paymentShape } from "../fields/paid-fields.ts";
import { markReply } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";
import { type ApiRoute, defineRoute, nameSchemas } from "../route.ts";
import { resolveServedModel } from "../served-model.ts";
import { eventSource, type NoteStreamFailure, type Streaming } from "../stream-failure.ts";
import { chatBodySchema, chatReplySchema } from "./chat-schema.ts";
import { errorBody } from "./errors.ts";

const { request_id, model } = chatReplySchema.shape;
const chatStarted = z.strictObject({ request_id, model });
const chatContent = z.strictObject({ content: z.string() });
const chatDone = chatReplySchema.omit({ message: true });
const chatFailed = z.strictObject({
  error: z.strictObject({ code: z.enum(ERROR_CODES), message: z.string(), request_id }),
  ...z.object(paymentShape).partial().shape,
});
nameSchemas({
  ChatStarted: chatStarted,
  ChatContent: chatContent,
  ChatDone: chatDone,
  ChatFailed: chatFailed,
});

/** What the reference says about streamed chats. */
const CHAT_STREAM = {
  about: `Server-sent events, each an \`event:\` line and one \`data:\` line of JSON:

- \`connection_established\` \`{request_id, model}\`: the call was admitted. From here on a failure is an \`error\` event.
- \`content\` \`{content}\`: text as it arrives.
- \`done\` \`{request_id, model, finish_reason, usage, credits_charged, balance, efficiency}\`: the end, sent after the charge.
- \`error\` \`{error: {code, message, request_id}}\`: instead of \`done\`; nothing was charged, unless the provider stopped because of the content after some of it: then \`credits_charged\` and \`balance\` stand beside \`error\`.

A comment (\`: keep-alive\`) is sent after some seconds of silence, 15 by default.`,
  event: z.union([chatStarted, chatContent, chatDone, chatFailed]),
};

function chatReply(requestId: string, paid: Paid<ChatOutcome>): Response {
  const { outcome } = paid;
  const response = jsonReply(requestId, {
    request_id: paid.requestId,
    model: outcome.model,
    message: { role: "assistant", content: wordsOf(outcome) },
    ...chatEnd(paid),
  });
  return markReply("native", response, paid);
}

/** A model declines in a separate `refusal` text. This interface has no field for it, so it is content. */
function wordsOf({ answers: [answer] }: ChatOutcome): string {
  return answer ? answer.content + answer.refusal : "";
}

/** The fields that end both the reply and the `done` event. */
function chatEnd(paid: Paid<ChatOutcome>) {
  const { finishReason, usage } = paid.outcome;
  return {
    finish_reason: finishReasonOf(finishReason),
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    ...encodeCharge(paid),
  };
}

/** This interface offers no tools, so no reply can end in a tool call. */
function finishReasonOf(reason: FinishReason): string {
  return reason === "tool_calls" ? "stop" : reason;
}

/** The four events of a streamed chat: connection_established, content, then done or error. */
function chatEvents(stream: ChatStream, noteFailure: NoteStreamFailure): EventSource {
  const { requestId, model } = stream;
  return eventSource({
    stream,
    noteFailure,
    encode: (part) => encodePart(part, requestId),
    opening: () => [() => [encode("connection_established", { request_id: requestId, model })]],
  });
}

function encodePart(part: ChatStreamPart, requestId: string): readonly string[] {
  switch (part.type) {
    case "events": {
      const written: string[] = [];
      for (const event of part.events) {
        // A refusal is paid for like any other text, so it is content here, as in the plain reply.
        if (event.type === "text" || event.type === "refusal")
          written.push(encode("content", { content: event.text }));
      }
      return written;
    }
    case "done": {
      const { requestId: id, outcome } = part.paid;
      return [encode("done", { request_id: id, model: outcome.model, ...chatEnd(part.paid) })];
    }
    case "error":
      return [encode("error", { ...errorBody(part.error, requestId), ...encodeStopped(part.charge) })];
    default:
      return unreachable(part);
  }
}

function encode(event: string, data: unknown): string {
  return encodeSseEvent(event, JSON.stringify(data));
}

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
        prompt: promptOf(body, messages),
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
        prompt: fields.prompt,
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
      return markReply("native", response, stream);
    },
  });
}

/** A message of nothing but its two fields stays the one that was read, whose bytes may be passed on. */
function promptOf(body: unknown, messages: ChatPrompt["messages"]): ChatPrompt {
  const read = body as { readonly messages: typeof messages };
  return {
    messages: messages.map((message, at) => {
      const given = read.messages[at] ?? message;
      return Object.keys(given).length === 2 ? given : message;
    }),
    asWritten: writtenPartsIn(read),
  };
}

const CHAT_EXAMPLE = {
  messages: [{ role: "user", content: "Say hello in three languages." }],
  max_tokens: 256,
};
