import type { FinishReason } from "../contract.ts";

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "content_filter"],
  ["safety", "content_filter"],
  ["tool_calls", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["function_call", "tool_calls"],
]);

/** A word that we do not know still says that the answer has ended, and nothing against it. */
export function decodeFinishReason(word: string): FinishReason {
  return REASONS.get(word.toLowerCase()) ?? "stop";
}

/**
 * The reason that goes with what was really sent: agents run tools only on `tool_calls`, and wait for ever
 * for calls that it promises and that never came. A choice of one tool by name ends in `stop` by custom.
 */
export function fittingReason(
  reason: FinishReason,
  { hasCalls, namedTool }: { readonly hasCalls: boolean; readonly namedTool: boolean },
): FinishReason {
  if (reason === "stop" && hasCalls && !namedTool) return "tool_calls";
  return reason === "tool_calls" && !hasCalls ? "stop" : reason;
}
