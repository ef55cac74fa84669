import type { TextModel } from "../../catalog/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/**
 * How many tokens an answer may think beside its limit: none at most servers, whose limit is of both. Elsewhere as many as
 * its caller's own words allow, which go on to such a server as they are, and never more than the model has.
 */
export function thoughtBoundTokens({ limits }: TextModel, { wire }: ChatPrompt): number {
  const { maxThoughtTokens: most } = limits;
  if (most === 0 || wire?.kind !== "chat_completions") return most;
  const { enable_thinking: isThinking, thinking_budget: budget } = wire.body;
  if (isThinking === false) return 0;
  return Number.isSafeInteger(budget) && (budget as number) >= 0 ? Math.min(budget as number, most) : most;
}
