import type { ChatRequest, Tool, ToolChoice } from "../../../contract/index.ts";
import { namingMessages } from "../../refused-part.ts";
import { withResultsInPlace } from "../../results-in-place.ts";
import type { WireVendor } from "../vendor.ts";
import { acceptedSchema } from "./accepted-schema.ts";
import { clientFields, hasFixedSampling } from "./client-fields.ts";
import { encodeForm, formOf, isFormInOnePiece, isFormInPrompt, withFormInPrompt } from "./encode-form.ts";
import { encodeMessage } from "./encode-message.ts";
import type { EncodeTarget } from "./encode-target.ts";
import { fittedEffort } from "./fitted-effort.ts";
import { stopThinkingBeforeForcedCall } from "./forced-call.ts";
import { encodeEach } from "./media-behind.ts";
import { withOwnTurns } from "./own-turns.ts";

/** The body of a chat completion: our fields are set after the client's own, so they win. */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): Record<string, unknown> {
  const { vendor, model } = target;
  const body = clientFields(request.wireFields ?? {}, request, target, vendor.dropsFields);
  body["model"] = model;
  const said = namingMessages(request, () =>
    encodeEach(withResultsInPlace(request.messages), target, (message) => encodeMessage(message, target)),
  );
  body["messages"] = withFormInPrompt(request, withOwnTurns(said, target), vendor);
  encodeDelivery(body, request, target);
  encodeSampling(body, request, target);
  if (request.seed !== undefined) body[vendor.seedField] = request.seed;
  encodeEffort(body, request, target);
  if (request.tools !== undefined && request.tools.length > 0) {
    body["tools"] = request.tools.map((tool) => encodeTool(tool, vendor));
    if (request.toolChoice !== undefined) body["tool_choice"] = encodeToolChoice(request.toolChoice);
  }
  stopThinkingBeforeForcedCall(body, target);
  const form = formOf(request);
  if (form !== null && !isFormInPrompt(request, vendor)) body["response_format"] = encodeForm(form, vendor);
  return body;
}

/** How the answer is delivered and how long it may get: decided by us alone. */
export function encodeDelivery(
  body: Record<string, unknown>,
  request: ChatRequest,
  { vendor, model }: EncodeTarget,
): void {
  const { mostInOnePiece: most } = vendor;
  const isWhole = request.inOnePiece === true && (most === null || request.maxOutputTokens <= most);
  // Stream unless it must be one piece, whoever reads it: only a stream shows that an answer is still being produced.
  if (!isWhole && !isFormInOnePiece(request, vendor)) {
    body["stream"] = true;
    if (vendor.asksForUsage) body["stream_options"] = { include_usage: true };
  }
  const limitField = vendor.completionLimitModels?.test(model) ? "max_completion_tokens" : vendor.limitField;
  body[limitField] = request.maxOutputTokens;
  if (request.n !== undefined && request.n > 1) body["n"] = request.n;
}

function encodeSampling(body: Record<string, unknown>, request: ChatRequest, target: EncodeTarget): void {
  const isFixed = hasFixedSampling(request, target);
  if (request.temperature !== undefined && !isFixed) body["temperature"] = request.temperature;
  if (request.topP !== undefined && !isFixed) body["top_p"] = request.topP;
  if (request.stop !== undefined && request.stop.length > 0) body["stop"] = request.stop;
}

function encodeEffort(
  body: Record<string, unknown>,
  { reasoningEffort: asked }: ChatRequest,
  target: EncodeTarget,
): void {
  const { vendor, model } = target;
  if (asked === undefined || vendor.thoughtlessModels?.test(model) === true) return;
  const effort = fittedEffort(asked, target);
  if (effort !== null) body[vendor.effortAs] = vendor.effortAs === "reasoning" ? { effort } : effort;
}

/** For a function without parameters. */
export const NO_PARAMETERS = { type: "object", properties: {} } as const;

export function encodeTool(tool: Tool, vendor: WireVendor): unknown {
  const { name, description, strict } = tool;
  const parameters = vendor.asksForParameters ? (tool.parameters ?? NO_PARAMETERS) : tool.parameters;
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters: acceptedSchema(parameters, vendor) }),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

export function encodeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}
