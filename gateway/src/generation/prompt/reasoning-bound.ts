import type { TextModel } from "../../catalog/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/** Whether the caller has switched thinking off. A field that is not neutral counts where the model's server heeds it. */
export function isThinkingOff(model: TextModel, prompt: ChatPrompt): boolean {
  if (prompt.reasoningEffort === "none") return true;
  return model.limits.maxThoughtTokens > 0 && reasoningBoundTokens(model, prompt) === 0;
}

/**
 * How many reasoning tokens an answer may have on top of its limit: none at most servers, whose limit includes them.
 * Elsewhere as many as the caller's own fields allow, since such a server receives them unchanged, and never more
 * than the model's maximum.
 */
export function reasoningBoundTokens({ limits }: TextModel, { wire }: ChatPrompt): number {
  const { maxThoughtTokens: most } = limits;
  if (most === 0 || wire?.kind !== "chat_completions") return most;
  const { enable_thinking: isThinking, thinking_budget: budget } = wire.body;
  if (isThinking === false) return 0;
  return Number.isSafeInteger(budget) && (budget as number) >= 0 ? Math.min(budget as number, most) : most;
}
