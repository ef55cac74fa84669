import type { FinishReason } from "../../contract/index.ts";

/** How tool calls are returned to a caller: in the form in which it offered the tools. */
export type CallStyle = {
  /** Names of tools that were offered as custom tools: their calls carry text instead of arguments. */
  readonly customTools: ReadonlySet<string>;
  /** True if the tools were offered as `functions`, the older form, which allows one call per answer. */
  readonly isFunctionCall: boolean;
  /** True if the caller named the tool that must be called: such an answer ends with `stop` on this wire. */
  readonly isNamed: boolean;
};

export const PLAIN_CALLS: CallStyle = { customTools: new Set(), isFunctionCall: false, isNamed: false };

type WireFinishReason = FinishReason | "function_call";

/** Agents run tools only if the finish reason says so, and providers do not set it reliably. */
export function finishReasonOf(
  reason: FinishReason,
  hasCalls: boolean,
  { isNamed, isFunctionCall }: CallStyle,
): WireFinishReason {
  if (reason !== "stop" && reason !== "tool_calls") return reason;
  if (!hasCalls || isNamed) return "stop";
  return isFunctionCall ? "function_call" : "tool_calls";
}
