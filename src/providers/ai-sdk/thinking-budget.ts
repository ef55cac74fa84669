import type { ChatRequest } from "../contract.ts";
import { hasLostThinking } from "./lost-thinking.ts";
import type { ReasoningEffort } from "./reasoning-effort.ts";

/** The least that the provider takes. */
const LEAST_TOKENS = 1_024;

/** Shares of the caller's own limit, so that an answer is left after the thinking. */
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
  /** For the answer. The library adds the budget to it: sent together they are what the hold pays for. */
  readonly maxOutputTokens: number;
};

/**
 * For models that think within a number of tokens. Null where the limit has no room for both, or where the
 * provider would refuse: it does not think in a turn without its own beginning.
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
