import { type FinishReason, ProviderFailure } from "./contract.ts";

/** The servers' words for an end, in lower case; what is not here says nothing against the answer. */
const ENDINGS: ReadonlyMap<string, FinishReason | "failed"> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  // Cohere's for the end of the model's context.
  ["error_limit", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["refusal", "content_filter"],
  ["error_toxic", "content_filter"],
  // Google's, which its servers of either wire send as they are. Its OTHER names no reason and is not here.
  ["safety", "content_filter"],
  ["recitation", "content_filter"],
  ["language", "content_filter"],
  ["blocklist", "content_filter"],
  ["prohibited_content", "content_filter"],
  ["spii", "content_filter"],
  ["model_armor", "content_filter"],
  ["image_safety", "content_filter"],
  ["image_prohibited_content", "content_filter"],
  ["image_recitation", "content_filter"],
  ["malformed_function_call", "failed"],
  ["malformed_response", "failed"],
  ["malformed_model_output", "failed"],
  ["malformed_tool_use", "failed"],
  ["unexpected_tool_call", "failed"],
  ["too_many_tool_calls", "failed"],
  ["missing_thought_signature", "failed"],
  ["error", "failed"],
  ["abort", "failed"],
  ["aborted", "failed"],
  ["network_error", "failed"],
  ["timeout", "failed"],
  ["insufficient_system_resource", "failed"],
]);

/**
 * How an answer ended by its server's own word, in any case; null where we do not know it. Google puts the kind before
 * the word: `function_call_filter: MALFORMED_FUNCTION_CALL`.
 */
export function endingOf(word: string): FinishReason | "failed" | null {
  const said = word.toLowerCase();
  const known = ENDINGS.get(said);
  if (known !== undefined || !said.includes(":")) return known ?? null;
  const [kind = "", ...rest] = said.split(":");
  return ENDINGS.get(rest.join(":").trim()) ?? ENDINGS.get(kind.trim()) ?? null;
}

/**
 * An answer whose end says that it failed is nobody's answer, however much of it came. Its server is up: most of these
 * words are about what the model made of one prompt.
 */
export function couldNotFinish(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider could not finish its answer.", {
    internal,
    targetHealth: "up",
  });
}
