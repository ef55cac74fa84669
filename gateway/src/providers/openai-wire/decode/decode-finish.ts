import type { FinishReason } from "../../../contract/index.ts";
import { endingOf } from "../../finish-reasons.ts";

/** An unknown finish_reason still means that the answer has ended normally. */
export function decodeFinishReason(word: string): FinishReason {
  const ending = endingOf(word);
  return ending === null || ending === "failed" ? "stop" : ending;
}

/** Checked before anything of the choice is emitted: such an answer has failed, so it has no finish reason. */
export function saysItFailed(word: unknown): boolean {
  return typeof word === "string" && endingOf(word) === "failed";
}

/**
 * The reason that fits what was really sent: agents run tools only on `tool_calls`, and would wait forever for calls
 * that it promises and that never came. If the caller chose one tool by name, the convention is `stop`, which some
 * servers do not follow.
 */
export function fittingReason(
  reason: FinishReason,
  { hasCalls, namedTool }: { readonly hasCalls: boolean; readonly namedTool: boolean },
): FinishReason {
  if (reason !== "stop" && reason !== "tool_calls") return reason;
  return hasCalls && !namedTool ? "tool_calls" : "stop";
}
