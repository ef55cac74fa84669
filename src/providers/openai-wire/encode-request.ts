import type { ChatRequest, ResponseFormat, Tool, ToolChoice } from "../contract.ts";
import { encodeMessage } from "./encode-message.ts";
import type { EncodeTarget } from "./encode-target.ts";
import type { WireVendor } from "./vendor.ts";
import { withoutKeywords } from "./wire-schema.ts";

/**
 * What a client's own fields may never set: the model that was resolved, the prompt that was estimated, the
 * limits that the hold pays for and the form of the answer. Servers know them under several names, and
 * some take a list of other models to try.
 */
const RESERVED = [
  "model",
  "models",
  "route",
  "preset",
  "messages",
  "prompt",
  "input",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "max_new_tokens",
  "num_predict",
  "n_predict",
  "options",
  "n",
  "best_of",
] as const;

/**
 * What changes a provider's bill beyond tokens: a faster tier, hosted searches, spoken answers, the choice of
 * a dearer host. No model's price says what they cost, so they do not go out.
 */
const UNPRICED = [
  "service_tier",
  "web_search_options",
  "search_parameters",
  "search_settings",
  "plugins",
  "provider",
  "modalities",
  "audio",
  "prediction",
] as const;

/** Have a neutral form, and some models take them only as they are. */
const SAMPLING = ["temperature", "top_p"] as const;

/** The body as the wire wants it: what we say stands after the client's own fields, so it wins. */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): Record<string, unknown> {
  const { vendor, model } = target;
  const body: Record<string, unknown> =
    request.wireFields === undefined ? {} : clientFields(request.wireFields, vendor);
  body["model"] = model;
  body["messages"] = encodeMessages(request, target);
  // Otherwise a stream, whoever reads it: only a stream shows that an answer is still being made.
  if (request.inOnePiece !== true) {
    body["stream"] = true;
    if (vendor.asksForUsage) body["stream_options"] = { include_usage: true };
  }
  const limitField = vendor.completionLimitModels?.test(model) ? "max_completion_tokens" : vendor.limitField;
  body[limitField] = request.maxOutputTokens;
  encodeSampling(body, request, vendor.fixedSamplingModels?.test(model) === true);
  if (request.seed !== undefined) body[vendor.seedField] = request.seed;
  if (request.n !== undefined && request.n > 1) body["n"] = request.n;
  if (request.reasoningEffort !== undefined) {
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

/** What of a client's own fields goes out as it is. */
function clientFields(given: Readonly<Record<string, unknown>>, vendor: WireVendor): Record<string, unknown> {
  const fields = { ...given };
  for (const field of [...RESERVED, ...UNPRICED, ...SAMPLING, ...vendor.dropsFields]) delete fields[field];
  return fields;
}

function encodeSampling(body: Record<string, unknown>, request: ChatRequest, isFixed: boolean): void {
  if (request.temperature !== undefined && !isFixed) body["temperature"] = request.temperature;
  if (request.topP !== undefined && !isFixed) body["top_p"] = request.topP;
  if (request.stop !== undefined && request.stop.length > 0) body["stop"] = request.stop;
}

function encodeMessages(request: ChatRequest, target: EncodeTarget): readonly unknown[] {
  const { vendor } = target;
  const messages = request.messages.map((message) => encodeMessage(message, target));
  const format = request.responseFormat;
  if (format?.type !== "json_schema" || vendor.jsonSchema) return messages;
  const schema = JSON.stringify(withoutKeywords(format.schema, vendor.schemaDrops));
  return [
    { role: "system", content: `Answer with JSON that matches this JSON schema:\n${schema}` },
    ...messages,
  ];
}

function encodeTool({ name, description, parameters, strict }: Tool, vendor: WireVendor): unknown {
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

function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function encodeFormat(format: Exclude<ResponseFormat, { type: "text" }>, vendor: WireVendor): unknown {
  if (format.type === "json" || !vendor.jsonSchema) return { type: "json_object" };
  const { name, schema, strict } = format;
  return {
    type: "json_schema",
    json_schema: {
      name,
      schema: withoutKeywords(schema, vendor.schemaDrops),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}
