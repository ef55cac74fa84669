import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import {
  type ChatRequest,
  ProviderFailure,
  type ResponseFormat,
  type ToolChoice,
  withMarks,
} from "../../../contract/index.ts";
import { refuseForeignFormat, refuseUnreadable } from "../../foreign-options.ts";
import { formInstructions } from "../../form-instructions.ts";
import { namingMessages } from "../../refused-part.ts";
import { withResultsInPlace } from "../../results-in-place.ts";
import type { AiSdkQuirks, FormBy, ProviderOptions, Sampling } from "../quirks.ts";
import { flattenParameters } from "../schema/flat-parameters.ts";
import { withOpenTuples } from "../schema/open-tuples.ts";
import { cleanForm, cleanParameters, cleanSchema } from "../schema/schema.ts";
import { createUnfoldBudget, type UnfoldBudget } from "../schema/unfold-budget.ts";
import { ownMarks, takeOddMarks } from "./cache-marks.ts";
import { cacheMarked } from "./encode-content.ts";
import { encodeMessages } from "./encode-messages.ts";
import { sentToolName } from "./inherited-names.ts";
import { refuseInBody } from "./refuse-in-body.ts";

/** Fields that change the kind of answer and cannot be expressed here are refused; those that only tune it, dropped. */
export function encodeRequest(
  model: string,
  given: ChatRequest,
  quirks: AiSdkQuirks,
): LanguageModelV4CallOptions {
  const placed = withResultsInPlace(given.messages);
  const marked = withMarks({ ...given, messages: placed }, ownMarks(model, given, quirks));
  const request = quirks.takesIdleTools ? marked : withoutIdleTools(marked);
  const { messages } = request;
  const wireFields = request.wireFields ?? {};
  refuseInexpressible(request, wireFields);
  refuseForeignFormat(request);
  if (request.wire !== undefined) refuseInBody(request.wire);
  if (request.wire?.kind === "responses") refuseUnreadable(request.wire.body);
  const thinking = quirks.reasoning(model, request);
  const withoutReasoning = thinking.isOff === true;
  const encoded = namingMessages(request, () => encodeMessages(messages, quirks, { withoutReasoning }));
  const prompt = quirks.fitPrompt(encoded, request, model);
  const formBy = request.responseFormat === undefined ? "field" : quirks.formBy(model, request);
  const words = formInPrompt(request, quirks, formBy);
  if (words !== null) prompt.unshift({ role: "system", content: words });
  const budget = createUnfoldBudget(schemasOf(request));
  const tools = encodeTools(request, quirks, budget);
  takeOddMarks({ prompt, ...tools }, quirks);
  return {
    prompt,
    maxOutputTokens: thinking.maxOutputTokens ?? request.maxOutputTokens,
    ...(thinking.reasoning === undefined ? {} : { reasoning: thinking.reasoning }),
    ...quirks.fitSampling(encodeSampling(request, wireFields, quirks), model),
    ...tools,
    ...(words === null ? encodeFormat(request.responseFormat, quirks, formBy, budget) : {}),
    ...encodeOptions(quirks.options(wireFields, model, request), quirks.namespace, thinking.options),
  };
}

function withoutIdleTools(request: ChatRequest): ChatRequest {
  if (request.toolChoice !== "none") return request;
  const { tools: _tools, toolChoice: _choice, ...rest } = request;
  return rest;
}

function refuseInexpressible(request: ChatRequest, wireFields: Readonly<Record<string, unknown>>): void {
  const { logprobs, top_logprobs: most } = wireFields;
  if ((request.n ?? 1) > 1) throw unsaid("n", "n above 1");
  if (logprobs === true && request.wire?.kind !== "responses") throw unsaid("logprobs", "logprobs");
  // The Responses wire asks for them by `top_logprobs` or by `include`.
  if (logprobs === true && most !== 0) throw unsaid("top_logprobs", "top_logprobs");
  if (logprobs === true) throw unsaid("include", "message.output_text.logprobs");
}

function unsaid(field: string, what: string): ProviderFailure {
  return new ProviderFailure("rejected", `${what} is not supported by this model.`, { field });
}

function encodeSampling(
  request: ChatRequest,
  wireFields: Readonly<Record<string, unknown>>,
  { hasShortSeeds }: AiSdkQuirks,
): Sampling {
  const { temperature, topP, stop, seed } = request;
  const topK = wireFields["top_k"];
  const presence = wireFields["presence_penalty"];
  const frequency = wireFields["frequency_penalty"];
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop === undefined || stop.length === 0 ? {} : { stopSequences: [...stop] }),
    ...(seed === undefined ? {} : { seed: hasShortSeeds ? seed | 0 : seed }),
    ...(typeof topK === "number" ? { topK } : {}),
    // 0 is the default everywhere, and some models refuse even that.
    ...(typeof presence === "number" && presence !== 0 ? { presencePenalty: presence } : {}),
    ...(typeof frequency === "number" && frequency !== 0 ? { frequencyPenalty: frequency } : {}),
  };
}

function encodeOptions(
  given: Readonly<Record<string, ProviderOptions>>,
  namespace: string,
  own: ProviderOptions = {},
): Pick<LanguageModelV4CallOptions, "providerOptions"> {
  const all = { ...given, [namespace]: { ...given[namespace], ...own } };
  const said = Object.entries(all).filter(([, options]) => Object.keys(options).length > 0);
  return said.length === 0 ? {} : { providerOptions: Object.fromEntries(said) };
}

function schemasOf({ tools = [], responseFormat: format }: ChatRequest): unknown[] {
  const form = format?.type === "json_schema" ? [format.schema] : [];
  return [...tools.map(({ parameters }) => parameters), ...form];
}

function encodeTools(
  { tools, toolChoice }: ChatRequest,
  quirks: AiSdkQuirks,
  budget: UnfoldBudget,
): Pick<LanguageModelV4CallOptions, "tools" | "toolChoice"> {
  if (tools === undefined || tools.length === 0) return {};
  const { schemaKeywords, needsFlatParameters, takesStrictTools } = quirks;
  return {
    tools: tools.map((tool) => ({
      type: "function",
      name: sentToolName(tool.name, quirks),
      ...(tool.description === undefined ? {} : { description: tool.description }),
      inputSchema: cleanParameters(
        needsFlatParameters ? flattenParameters(tool.parameters, budget) : tool.parameters,
        schemaKeywords,
        budget,
      ),
      ...(tool.strict && takesStrictTools ? { strict: true } : {}),
      ...cacheMarked(tool.cache, quirks),
    })),
    ...(toolChoice === undefined ? {} : { toolChoice: encodeToolChoice(toolChoice, quirks) }),
  };
}

function encodeToolChoice(choice: ToolChoice, quirks: AiSdkQuirks): LanguageModelV4CallOptions["toolChoice"] {
  if (typeof choice === "string") return { type: choice };
  return { type: "tool", toolName: sentToolName(choice.name, quirks) };
}

/** Prompt text for a format that cannot be requested by a field; null if it can, or if none is requested. */
function formInPrompt(
  { responseFormat: format }: ChatRequest,
  { asksForJson }: AiSdkQuirks,
  formBy: FormBy,
): string | null {
  if (format?.type === "json") return asksForJson || formBy === "words" ? formInstructions(null) : null;
  if (format?.type !== "json_schema" || formBy !== "words") return null;
  return formInstructions({ description: format.description, schema: cleanSchema(format.schema, null) });
}

function encodeFormat(
  format: ResponseFormat | undefined,
  quirks: AiSdkQuirks,
  formBy: FormBy,
  budget: UnfoldBudget,
): Pick<LanguageModelV4CallOptions, "responseFormat"> {
  if (format?.type === "json") return { responseFormat: { type: "json" } };
  if (format?.type !== "json_schema") return {};
  const { name, description } = format;
  const form = encodeForm(format.schema, quirks, formBy, budget);
  if (!description) return { responseFormat: { type: "json", name, schema: form } };
  // The library ignores the description, so it goes into the schema, unless that has one.
  return { responseFormat: { type: "json", name, description, schema: { description, ...form } } };
}

function encodeForm(
  schema: unknown,
  { schemaKeywords, needsFlatParameters }: AiSdkQuirks,
  formBy: FormBy,
  budget: UnfoldBudget,
): JSONSchema7 {
  if (!needsFlatParameters) return cleanSchema(schema, schemaKeywords, budget);
  const form = cleanForm(schema);
  return formBy === "field" ? withOpenTuples(form) : form;
}
