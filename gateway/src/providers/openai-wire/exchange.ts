import type { ChatRequest, WireRequest } from "../../contract/index.ts";
import type { ErrorHabits } from "../../outbound/index.ts";
import { type Fields, isServedTool } from "../../wires/index.ts";
import { refuseBias, refuseBlocking, refuseForeignService } from "../foreign-options.ts";
import { refuseUnpriced } from "../unpriced-fields.ts";
import type { WireAddress } from "./address.ts";
import type { ReadingContext } from "./decode/decode-chunk.ts";
import { formOf } from "./encode/encode-form.ts";
import { encodeRequest } from "./encode/encode-request.ts";
import type { EncodeTarget } from "./encode/encode-target.ts";
import { encodeWireRequest } from "./passthrough/encode-wire-request.ts";
import { wireFormOf } from "./passthrough/wire-form.ts";
import { neutralReading, type Reading, wholeReading, wireReading } from "./reading.ts";
import { encodeChatAsResponse } from "./responses/encode-chat-as-response.ts";
import { encodeResponseRequest } from "./responses/encode-response-request.ts";
import { neutralResponseReading, responseReading } from "./responses/response-reading.ts";
import type { WireVendor } from "./vendor.ts";

/** Items that a server which knows only functions understands; a request with others becomes a chat completion. */
const PLAIN_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "item_reference",
]);

/** Whether a Responses request can be passed on: agents send tools that only few servers know. */
export function speaksResponses({ body }: WireRequest, vendor: WireVendor): boolean {
  if (!vendor.speaksResponses) return false;
  if (vendor.responsesTools === "any") return true;
  const { tools, input } = body;
  const isPlainTool = (tool: Fields) => tool?.["type"] === "function" || !isServedTool(tool);
  const isPlainItem = (item: Fields) => PLAIN_ITEMS.has(item?.["type"]);
  return (
    (!Array.isArray(tools) || tools.every(isPlainTool)) && (!Array.isArray(input) || input.every(isPlainItem))
  );
}

/** One call: its URL, its body and how its answer is read. */
export type Exchange = {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly reading: Reading;
  /** How its errors are read. */
  readonly habits: ErrorHabits;
};

/** Models that leave reasoning tokens out of the output count, at any address: only the total includes them. */
const UNCOUNTED_REASONING = /(?:^|\/)gemini-/i;

/** In the caller's own wire if the server supports it, otherwise made from the neutral request. */
export function exchangeOf(request: ChatRequest, target: EncodeTarget, address: WireAddress): Exchange {
  const { wire } = request;
  const { vendor, model, namespace } = target;
  if (wire !== undefined) refuseUnservedFields(wire, target);
  const context: ReadingContext = {
    n: request.n ?? 1,
    namedTool: typeof request.toolChoice === "object",
    namespace,
    earlierMessages: request.messages,
    // A client of the Responses API has a place for the mark, but no field that the server would know.
    marksReasoning: wire?.kind === "responses" && vendor.reasoningEcho === "as_given",
    cachesBeyondPrompt: vendor.cachesBeyondPrompt,
    mostWithReasoning: UNCOUNTED_REASONING.test(model) ? request.maxOutputTokens * (request.n ?? 1) : 0,
    contentEndings: vendor.contentEndings,
    secrets: address.secrets,
  };
  if (wire !== undefined && address.responsesUrl !== null && isSentOnAsResponse(wire, vendor, address)) {
    return {
      url: address.responsesUrl,
      body: encodeResponseRequest(request, wire, target),
      reading: responseReading(context, wire.reasoningMark),
      habits: { namesCallersFields: true },
    };
  }
  if (address.responsesUrl !== null && needsResponse(request, target)) {
    return {
      url: address.responsesUrl,
      body: encodeChatAsResponse(request, target),
      reading: neutralResponseReading(context, { hasForm: formOf(request) !== null }),
      habits: {},
    };
  }
  const url = address.chatUrl(model);
  if (wire?.kind !== "chat_completions") {
    refuseForeignService(request);
    return {
      url,
      body: encodeRequest(request, target),
      reading: neutralReading(context),
      habits: {},
    };
  }
  return {
    url,
    body: encodeWireRequest(request, wire, target),
    reading: turnsToolsBack(wire, target) ? neutralReading(context) : chatReading(request, wire, context),
    habits: { namesCallersFields: true },
  };
}

/** Whether the caller's own Responses request is passed on. */
export function isSentOnAsResponse(
  wire: WireRequest,
  vendor: WireVendor,
  { responsesUrl }: Pick<WireAddress, "responsesUrl">,
): boolean {
  return wire.kind === "responses" && responsesUrl !== null && speaksResponses(wire, vendor);
}

/** Checked before the wire is chosen: none can express these fields, and some would drop them silently. */
export function refuseUnservedFields(
  wire: WireRequest,
  { vendor, model }: Pick<EncodeTarget, "vendor" | "model">,
): void {
  const { kind, body } = wire;
  const { searchModels, searchesOwnData } = vendor;
  refuseUnpriced(wire, { isSearching: searchModels?.test(model) === true, searchesOwnData });
  if (kind !== "chat_completions") return;
  if (vendor.dropsFields.includes("logit_bias")) refuseBias(body);
  if (vendor.dropsFields.includes("moderation")) refuseBlocking(body);
}

/** Whether this model would refuse the tools in a chat completion. */
function needsResponse(
  { tools = [], reasoningEffort: effort }: ChatRequest,
  { vendor, model }: EncodeTarget,
): boolean {
  const { speaksResponses: isSpoken, toolsAsResponse: refusing } = vendor;
  if (!isSpoken || refusing === null || tools.length === 0) return false;
  if (refusing.unlessNone.test(model)) return effort !== "none";
  return effort !== undefined && refusing.withEffort.test(model);
}

function chatReading({ inOnePiece }: ChatRequest, wire: WireRequest, context: ReadingContext): Reading {
  const form = wireFormOf(wire);
  return inOnePiece ? wholeReading(context, form) : wireReading(context, form);
}

/** Most vendors get custom tools as functions, and the calls of these are turned back at the edge. */
function turnsToolsBack({ body }: WireRequest, { vendor }: EncodeTarget): boolean {
  const { tools } = body;
  return !vendor.customTools && Array.isArray(tools) && tools.some((tool) => tool?.type === "custom");
}
