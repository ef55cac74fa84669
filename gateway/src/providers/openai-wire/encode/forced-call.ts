import { isObject } from "../../../kit/index.ts";
import type { EncodeTarget } from "./encode-target.ts";

/**
 * For a model that refuses a forced call while it reasons: it does not reason before this one, as the call is what the
 * client relies on.
 */
export function stopThinkingBeforeForcedCall(
  body: Record<string, unknown>,
  { vendor: { unforcedThinking }, model }: EncodeTarget,
): void {
  const { tools, tool_choice: choice } = body;
  if (unforcedThinking === null || !Array.isArray(tools) || !unforcedThinking.models.test(model)) return;
  if (choice !== "required" && !isObject(choice)) return;
  for (const field of ["reasoning_effort", "reasoning", "thinking_budget"]) delete body[field];
  Object.assign(body, unforcedThinking.off);
}
