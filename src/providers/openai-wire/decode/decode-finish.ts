import type { FinishReason } from "../../contract.ts";
import { endingOf } from "../../finish-words.ts";

/** A word that we do not know still says that the answer has ended, and nothing against it. */
export function decodeFinishReason(word: string): FinishReason {
  const ending = endingOf(word);
  return ending === null || ending === "failed" ? "stop" : ending;
}

/** Looked at before anything of the choice is told: then the answer has no reason, but failed. */
export function saysItFailed(word: unknown): boolean {
  return typeof word === "string" && endingOf(word) === "failed";
}

/**
 * The reason that goes with what was really sent: agents run tools only on `tool_calls`, and wait for ever
 * for calls that it promises and that never came. A choice of one tool by name ends in `stop` by custom, and
 * some servers do not keep to it.
 */
export function fittingReason(
  reason: FinishReason,
  { hasCalls, namedTool }: { readonly hasCalls: boolean; readonly namedTool: boolean },
): FinishReason {
  if (reason !== "stop" && reason !== "tool_calls") return reason;
  return hasCalls && !namedTool ? "tool_calls" : "stop";
}
