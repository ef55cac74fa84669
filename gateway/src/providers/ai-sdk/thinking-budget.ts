import type { ChatRequest } from "../../contract/index.ts";
import { hasLostThinking } from "./lost-thinking.ts";
import type { ReasoningEffort } from "./reasoning-effort.ts";

/** The provider's minimum. */
const LEAST_TOKENS = 1_024;

/** Shares of the caller's limit, so that room for an answer remains. */
const SHARES: Readonly<Record<Exclude<ReasoningEffort, "none">, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.75,
  xhigh: 0.85,
  max: 0.9,
};

type ThinkingBudget = {
  readonly budgetTokens: number;
  /** Limit of the answer alone. The library adds the budget to it; the sum is what the hold covers. */
  readonly maxOutputTokens: number;
};

/**
 * For models that think within a token budget. Null if the limit has no room for both, or if the provider would refuse:
 * it does not think in a turn whose original thinking is missing.
 */
export function thinkingBudget(input: {
  readonly effort: Exclude<ReasoningEffort, "none">;
  readonly request: ChatRequest;
  readonly namespace: string;
  /** The library lowers the sum of both to it, but not the budget. */
  readonly modelLimit?: number;
}): ThinkingBudget | null {
  const { effort, request, namespace, modelLimit = Number.POSITIVE_INFINITY } = input;
  const limit = Math.min(request.maxOutputTokens, modelLimit);
  if (limit < 2 * LEAST_TOKENS || hasLostThinking(request.messages, namespace)) return null;
  const budgetTokens = Math.max(LEAST_TOKENS, Math.floor(limit * SHARES[effort]));
  return { budgetTokens, maxOutputTokens: limit - budgetTokens };
}
