import { type ChatOutcome, eventsOf } from "../../../generation/index.ts";
import { chatCallOf } from "../../chat-call.ts";
import { replyToNobody } from "../../client-left.ts";
import type { HttpDeps } from "../../context.ts";
import { efficiencyOf } from "../../efficiency.ts";
import { textReply } from "../../reply.ts";
import { type ApiRoute, defineRoute } from "../../route.ts";
import type { Streaming } from "../../stream-failure.ts";
import { resolveChat } from "../chat-target.ts";
import { openStream } from "../open-stream.ts";
import { markPaidReply } from "../reply-headers.ts";
import { RESPONSE_STREAM } from "../stream-docs.ts";
import { wholeResponseResults } from "../whole-results.ts";
import type { ItemSeals } from "./decode/decode-item.ts";
import { decodeResponseRequest, type ResponseFields } from "./decode/decode-request.ts";
import { createItemMaker, type ItemMaker, listText } from "./output-item.ts";
import { createResponseObject } from "./response-object.ts";
import { responseBodySchema, responseReplySchema } from "./responses-schema.ts";
import { createAnswerWriter } from "./stream/answer-writer.ts";
import { createResponseEncoder } from "./stream/response-encoder.ts";

/** Writes a whole answer as the items of a response, the same as in a stream. This wire has one answer per call. */
export function outputOf({ wire, answers: [answer] }: ChatOutcome, maker: ItemMaker): string {
  if (wire !== null) return Array.isArray(wire["output"]) ? JSON.stringify(wire["output"]) : "[]";
  if (answer === undefined) return "[]";
  const writer = createAnswerWriter({ write: () => {}, take: () => [] }, maker);
  writer.add(eventsOf([answer]));
  writer.close(answer.finishReason);
  return listText(writer.output);
}

const ENDPOINT = "v1-responses";

type ResponsesDeps = Pick<HttpDeps, "settings" | "catalog" | "generation" | "callSeal" | "reasoningSeal"> &
  Streaming;

export function responsesRoute(deps: ResponsesDeps): ApiRoute {
  const { settings, catalog, generation, eventStreams, noteFailure } = deps;
  const privateHosts = new Set(settings.privateMediaHosts);
  const context = { seals: deps, maxItems: settings.messages, privateHosts };
  return defineRoute({
    wire: "openai",
    method: "POST",
    path: "/v1/responses",
    scope: "chat",
    spends: true,
    bodyLimitBytes: settings.compatibleBodyBytes,
    repairTexts: wholeResponseResults,
    docs: {
      operationId: "createResponse",
      summary: "Response",
      description: DESCRIPTION,
      body: { schema: responseBodySchema, alias: "code", example: EXAMPLE },
      reply: responseReplySchema,
      stream: RESPONSE_STREAM,
    },
    decode: ({ body, headers }) => ({
      fields: decodeResponseRequest(body, context),
      efficiency: efficiencyOf(headers),
    }),
    resolve({ fields, efficiency }, { organization }) {
      return { fields, target: resolveChat(catalog, organization, fields, efficiency) };
    },
    modelOf: ({ target }) => target.model,
    async handle(call, { fields, target }) {
      const chat = chatCallOf(call, ENDPOINT, target);
      const { maxTokens } = target;
      if (!fields.isStreamed) {
        const paid = await generation.chat(chat);
        if (paid === null) return replyToNobody(call.requestId);
        const { requestId, outcome } = paid;
        const { object, maker } = formsOf({
          seals: deps,
          fields,
          maxTokens,
          requestId,
          model: outcome.model,
        });
        const { text } = object.ended(outputOf(paid.outcome, maker), paid);
        return markPaidReply(textReply(call.requestId, text), paid);
      }
      const stream = call.keptWith(await generation.chatStream(chat));
      const { requestId, model } = stream;
      const { object, maker } = formsOf({ seals: deps, fields, maxTokens, requestId, model });
      const encoder = createResponseEncoder(object, maker);
      const { keepAliveMs } = settings;
      return openStream({ stream, call, encoder, eventStreams, noteFailure, keepAliveMs });
    },
  });
}

/** What encodes the answer to a call. */
function formsOf(input: {
  readonly seals: ItemSeals;
  readonly fields: ResponseFields;
  readonly maxTokens: number | null;
  /** For a repeat, this id and the model are the first call's: an alias may have moved since. */
  readonly requestId: string;
  readonly model: string;
}) {
  const { seals, requestId, model, maxTokens } = input;
  const { settings, table } = input.fields;
  const keepsReasoning = settings.include?.includes("reasoning.encrypted_content") === true;
  return {
    object: createResponseObject({ requestId, model, settings, maxTokens }),
    maker: createItemMaker({ requestId, table, seals, keepsReasoning }),
  };
}

const DESCRIPTION = `Answers a conversation with any text model, in the format that coding agents use. Stateless: send the whole input with each call. \`previous_response_id\`, \`conversation\` and \`background\` are refused, and the reply always says \`store: false\`. Charged when it succeeds. An error costs nothing, except that a stream which the provider stops because of its content costs what was delivered. A \`max_output_tokens\` that cannot be paid for is lowered to what is left, but not below 1,024: \`x-max-tokens-granted\` has it.

With \`stream: true\` the reply is the full sequence of events. It ends with \`response.completed\`, \`response.incomplete\`, or \`error\` and \`response.failed\`. The \`response\` of the last event carries the cost of the call.`;

const EXAMPLE = { input: "Say hello in three languages.", max_output_tokens: 256 };
