import type { FinishReason } from "../../providers/index.ts";

/** How a caller is told of tool calls: in the form in which it offered the tools. */
export type CallStyle = {
  /** Tools that were offered as custom ones: their calls carry a text instead of arguments. */
  readonly customTools: ReadonlySet<string>;
  /** Offered as `functions`, the older form, which knows one call per answer. */
  readonly isFunctionCall: boolean;
  /** The caller named the tool that must be called: such an answer ends in `stop` on this wire. */
  readonly isNamed: boolean;
};

export const PLAIN_CALLS: CallStyle = { customTools: new Set(), isFunctionCall: false, isNamed: false };

type WireFinishReason = FinishReason | "function_call";

/** Agents run tools only where the answer ends so; whether a provider says it cannot be relied on. */
export function finishReasonOf(
  reason: FinishReason,
  hasCalls: boolean,
  { isNamed, isFunctionCall }: CallStyle,
): WireFinishReason {
  if (reason !== "stop" && reason !== "tool_calls") return reason;
  if (!hasCalls || isNamed) return "stop";
  return isFunctionCall ? "function_call" : "tool_calls";
}
