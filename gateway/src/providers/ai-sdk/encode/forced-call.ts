import type { ChatRequest } from "../../../contract/index.ts";
import type { FormBy, ProviderOptions } from "../quirks.ts";

/** Claudes with adaptive thinking that refuse to think before a forced tool call. */
const EARLY_ADAPTIVE = /claude-[a-z]+-4-[67]\b/;

function isForced({ toolChoice }: ChatRequest): boolean {
  return toolChoice === "required" || typeof toolChoice === "object";
}

/**
 * If a schema has no field, the library asks for it by a tool of this name, whose call is the answer. It would clash
 * with a client's tool of the same name, and would be called instead of a tool that the client forces.
 */
const FORM_TOOL = "json";

export function crossesFormTool(request: ChatRequest): boolean {
  const { tools = [] } = request;
  return tools.length > 0 && (isForced(request) || tools.some(({ name }) => name === FORM_TOOL));
}

/** Forced to call the client's tool, or the tool that stands for the schema. */
export function mustCall(request: ChatRequest, formBy: FormBy): boolean {
  return isForced(request) || formBy === "tool";
}

/** In the form of Anthropic's package. */
export function oneCallAtATime(wireFields: Readonly<Record<string, unknown>>): ProviderOptions {
  return wireFields["parallel_tool_calls"] === false ? { disableParallelToolUse: true } : {};
}

/**
 * Also true for all models that think within a token budget. Some of these do not accept disabled thinking either, so
 * the setting is left out.
 */
export function cannotThinkWhenForced(
  model: string,
  { supportsAdaptiveThinking }: { readonly supportsAdaptiveThinking: boolean },
): boolean {
  return !supportsAdaptiveThinking || EARLY_ADAPTIVE.test(model);
}
