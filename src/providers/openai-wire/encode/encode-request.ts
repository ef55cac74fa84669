import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from "../../contract.ts";
import { namingMessages } from "../../refused-part.ts";
import { withResultsInPlace } from "../../results-in-place.ts";
import type { WireVendor } from "../vendor.ts";
import { clientFields, hasFixedSampling } from "./client-fields.ts";
import { encodeMessage } from "./encode-message.ts";
import type { EncodeTarget } from "./encode-target.ts";
import { withLostThoughts } from "./lost-thoughts.ts";
import { withoutKeywords } from "./wire-schema.ts";

/** The body as the wire wants it: what we say stands after the client's own fields, so it wins. */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): Record<string, unknown> {
  const { vendor, model } = target;
  const body: Record<string, unknown> =
    request.wireFields === undefined
      ? {}
      : clientFields(request.wireFields, request, target, vendor.dropsFields);
  body["model"] = model;
  body["messages"] = withSchemaInWords(
    request,
    withLostThoughts(
      namingMessages(request, () =>
        withResultsInPlace(request.messages).map((message) => encodeMessage(message, target)),
      ),
      vendor,
    ),
    vendor,
  );
  encodeDelivery(body, request, target);
  encodeSampling(body, request, target);
  if (request.seed !== undefined) body[vendor.seedField] = request.seed;
  if (request.reasoningEffort !== undefined && vendor.thoughtlessModels?.test(model) !== true) {
    body[vendor.effortAs] =
      vendor.effortAs === "reasoning" ? { effort: request.reasoningEffort } : request.reasoningEffort;
  }
  if (request.tools !== undefined && request.tools.length > 0) {
    body["tools"] = request.tools.map((tool) => encodeTool(tool, vendor));
    if (request.toolChoice !== undefined) body["tool_choice"] = encodeToolChoice(request.toolChoice);
  }
  const format = request.responseFormat;
  if (format !== undefined && format.type !== "text") body["response_format"] = encodeFormat(format, vendor);
  return body;
}

/** How the answer is to come and how long it may get, which is ours to say. */
export function encodeDelivery(
  body: Record<string, unknown>,
  request: ChatRequest,
  { vendor, model }: EncodeTarget,
): void {
  // Otherwise a stream, whoever reads it: only a stream shows that an answer is still being made.
  if (request.inOnePiece !== true) {
    body["stream"] = true;
    if (vendor.asksForUsage) body["stream_options"] = { include_usage: true };
  }
  const limitField = vendor.completionLimitModels?.test(model) ? "max_completion_tokens" : vendor.limitField;
  body[limitField] = request.maxOutputTokens;
  if (request.n !== undefined && request.n > 1) body["n"] = request.n;
}

function encodeSampling(body: Record<string, unknown>, request: ChatRequest, target: EncodeTarget): void {
  // Where the caller's own fields say them too, ours win.
  if ("temperature" in body) delete body["temperature"];
  if ("top_p" in body) delete body["top_p"];
  const isFixed = hasFixedSampling(request, target);
  if (request.temperature !== undefined && !isFixed) body["temperature"] = request.temperature;
  if (request.topP !== undefined && !isFixed) body["top_p"] = request.topP;
  if (request.stop !== undefined && request.stop.length > 0) body["stop"] = request.stop;
}

/** A schema that the vendor cannot be given stands in the prompt. */
export function withSchemaInWords(
  { responseFormat: format }: ChatRequest,
  messages: readonly unknown[],
  vendor: WireVendor,
): readonly unknown[] {
  if (format?.type !== "json_schema" || vendor.jsonSchema) return messages;
  const schema = JSON.stringify(withoutKeywords(format.schema, vendor.schemaDrops));
  return [
    { role: "system", content: `Answer with JSON that matches this JSON schema:\n${schema}` },
    ...messages,
  ];
}

export function encodeTool({ name, description, parameters, strict }: Tool, vendor: WireVendor): unknown {
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters: withoutKeywords(parameters, vendor.schemaDrops) }),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

export function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function encodeFormat(format: Exclude<ResponseFormat, { type: "text" }>, vendor: WireVendor): unknown {
  if (format.type === "json" || !vendor.jsonSchema) return { type: "json_object" };
  const { name, description, schema, strict } = format;
  return {
    type: "json_schema",
    json_schema: {
      name,
      ...(description === undefined ? {} : { description }),
      schema: withoutKeywords(schema, vendor.schemaDrops),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}
