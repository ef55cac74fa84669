import { type FinishReason, ProviderFailure } from "../contract/index.ts";

/** Finish reasons of all servers, in lower case. An unknown reason does not mean that the answer failed. */
const ENDINGS: ReadonlyMap<string, FinishReason | "failed"> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  // Cohere: the model's context is full.
  ["error_limit", "length"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
  ["content_filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["refusal", "content_filter"],
  ["error_toxic", "content_filter"],
  // Google's, which its servers send unchanged in either wire. Its OTHER gives no reason and is not listed.
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
 * The meaning of a server's finish reason, in any case; null if unknown. Google puts a kind before the reason:
 * `function_call_filter: MALFORMED_FUNCTION_CALL`.
 */
export function endingOf(word: string): FinishReason | "failed" | null {
  const said = word.toLowerCase();
  const known = ENDINGS.get(said);
  if (known !== undefined || !said.includes(":")) return known ?? null;
  const [kind = "", ...rest] = said.split(":");
  return ENDINGS.get(rest.join(":").trim()) ?? ENDINGS.get(kind.trim()) ?? null;
}

/**
 * An answer that ends with a failure is no answer, however much of it arrived. Its server is up: most of these reasons
 * concern what the model made of one prompt.
 */
export function couldNotFinish(internal: string, isContent = false): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider could not finish its answer.", {
    internal,
    targetHealth: "up",
    ...(isContent ? { isContent } : {}),
  });
}
