import type { ChatRequest } from "../contract.ts";
import type { FormBy, ProviderOptions } from "./quirks.ts";

/** Of the Claudes that are told an effort, those that refuse to think before a call that they are forced to make. */
const EARLY_ADAPTIVE = /claude-[a-z]+-4-[67]\b/;

function isForced({ toolChoice }: ChatRequest): boolean {
  return toolChoice === "required" || typeof toolChoice === "object";
}

/**
 * The library asks for a form that has no field by a tool of this name, which stands for the answer. It would be taken for
 * a client's own of the same name, and made in place of a call that the client demands.
 */
const FORM_TOOL = "json";

export function crossesFormTool(request: ChatRequest): boolean {
  const { tools = [] } = request;
  return tools.length > 0 && (isForced(request) || tools.some(({ name }) => name === FORM_TOOL));
}

/** A call of the client's, or of the tool that stands for the form. */
export function mustCall(request: ChatRequest, formBy: FormBy): boolean {
  return isForced(request) || formBy === "tool";
}

/** As the options of Anthropic's package say it. */
export function oneCallAtATime(wireFields: Readonly<Record<string, unknown>>): ProviderOptions {
  return wireFields["parallel_tool_calls"] === false ? { disableParallelToolUse: true } : {};
}

/**
 * And all that think within a number of tokens. The provider takes no disabled thinking from some of these either, so that
 * nothing is said of it.
 */
export function cannotThinkWhenForced(
  model: string,
  { supportsAdaptiveThinking }: { readonly supportsAdaptiveThinking: boolean },
): boolean {
  return !supportsAdaptiveThinking || EARLY_ADAPTIVE.test(model);
}
