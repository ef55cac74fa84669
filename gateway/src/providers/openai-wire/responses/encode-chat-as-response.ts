import {
  type ChatRequest,
  LEAST_TOKENS_BESIDE_TOOLS,
  type ProviderFailure,
  type ResponseFormat,
  type Tool,
} from "../../../contract/index.ts";
import { type Fields, fieldsOf } from "../../../wires/index.ts";
import { refuseForeignOptions, unsupported } from "../../foreign-options.ts";
import { clientFields } from "../encode/client-fields.ts";
import type { EncodeTarget } from "../encode/encode-target.ts";
import { chatItems } from "./chat-items.ts";
import { askForReasoning, STATEFUL } from "./encode-response-request.ts";

type Body = Record<string, unknown>;

/** Fields that the Responses API expresses differently, or not at all if they would only tune the answer. */
const SAID_OTHERWISE = [
  "tools",
  "tool_choice",
  "functions",
  "function_call",
  "response_format",
  "reasoning",
  "reasoning_effort",
  "verbosity",
  "stop",
  "seed",
  "logprobs",
  "top_logprobs",
  "logit_bias",
  "text",
] as const;

/**
 * A chat completion as a Responses request, for models that accept tools in no other way. Fields that both have are
 * passed on unchanged.
 */
export function encodeChatAsResponse(request: ChatRequest, target: EncodeTarget): Body {
  const given: Fields = request.wire?.body ?? {};
  refuseForeignOptions(request);
  refuseUnsayable(request, given);
  const body = clientFields(given, request, target, [...STATEFUL, ...SAID_OTHERWISE]);
  const custom = customTools(given["tools"]);
  body["model"] = target.model;
  body["input"] = chatItems(request.messages, { custom, given: given["messages"] }, target);
  body["max_output_tokens"] = Math.max(request.maxOutputTokens, LEAST_TOKENS_BESIDE_TOOLS);
  body["store"] = false;
  if (request.inOnePiece !== true) body["stream"] = true;
  encodeReasoning(body, request, given["reasoning"]);
  askForReasoning(body, target);
  encodeTools(body, request, custom);
  encodeText(body, request, given["verbosity"]);
  return body;
}

/** Refuses what would change the answer and cannot be expressed there. */
function refuseUnsayable({ n = 1, stop = [] }: ChatRequest, given: Fields): void {
  const { logprobs, top_logprobs: most } = given;
  if (n > 1) throw unsayable("n");
  if (stop.length > 0) throw unsayable("stop");
  if (logprobs === true || (typeof most === "number" && most > 0)) throw unsayable("logprobs");
}

function unsayable(field: string): ProviderFailure {
  return unsupported(field, "this model does not take it beside tools; leave it out");
}

/** A client may say more about reasoning than the effort, in the longer of the two forms. */
function encodeReasoning(body: Body, { reasoningEffort: effort }: ChatRequest, given: unknown): void {
  const said = fieldsOf(given);
  if (effort !== undefined) body["reasoning"] = { ...said, effort };
  else if (Object.keys(said).length > 0) body["reasoning"] = said;
}

/** Custom tools by name, as the Responses API has them. */
function customTools(tools: unknown): ReadonlyMap<string, Fields> {
  const custom = new Map<string, Fields>();
  if (!Array.isArray(tools)) return custom;
  for (const tool of tools as readonly Fields[]) {
    if (tool?.["type"] !== "custom") continue;
    const { format, ...said } = tool["custom"] as Fields & { readonly name: string };
    const { grammar } = fieldsOf(format);
    const flat = typeof grammar === "object" ? { type: "grammar", ...grammar } : format;
    custom.set(said.name, { type: "custom", ...said, ...(flat == null ? {} : { format: flat }) });
  }
  return custom;
}

function encodeTools(body: Body, request: ChatRequest, custom: ReadonlyMap<string, Fields>): void {
  const { tools = [], toolChoice: choice, wireFields = {} } = request;
  body["tools"] = tools.map((tool) => custom.get(tool.name) ?? encodeFunction(tool));
  // Not always in the client's own body: a request in the older form of functions implies it.
  if (wireFields["parallel_tool_calls"] === false) body["parallel_tool_calls"] = false;
  if (choice === undefined) return;
  body["tool_choice"] =
    typeof choice === "string"
      ? choice
      : { type: custom.has(choice.name) ? "custom" : "function", name: choice.name };
}

/** There functions are strict by default; in a chat completion they are not. */
function encodeFunction({ name, description, parameters = null, strict = false }: Tool): Fields {
  return {
    type: "function",
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    strict,
  };
}

function encodeText(body: Body, { responseFormat: format }: ChatRequest, verbosity: unknown): void {
  const text = {
    ...(format === undefined ? {} : { format: encodeFormat(format) }),
    ...(verbosity === undefined || verbosity === null ? {} : { verbosity }),
  };
  if (Object.keys(text).length > 0) body["text"] = text;
}

function encodeFormat(format: ResponseFormat): Fields {
  return format.type === "json" ? { type: "json_object" } : format;
}
