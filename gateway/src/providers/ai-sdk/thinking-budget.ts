import type { ChatMessage, ChatRequest } from "../../contract/index.ts";
import type { ReasoningEffort } from "./reasoning-effort.ts";
import { decodeSeal } from "./seal.ts";

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;

/**
 * A loop of tool calls is one assistant turn, and if a model thinks within a budget, its turn must begin with the
 * original signed thinking. True if the turn began without, or if the client did not send it back: then it cannot be
 * continued with thinking on.
 */
function hasLostThinking(messages: readonly ChatMessage[], namespace: string): boolean {
  const first = messages.slice(turnStart(messages)).find(isAssistant);
  return first !== undefined && !first.reasoning?.some(({ signature }) => isThinking(namespace, signature));
}

/** Index behind the user's last message. User messages right after tool results belong to the turn. */
function turnStart(messages: readonly ChatMessage[]): number {
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.role !== "user") continue;
    let before = at - 1;
    while (isInstruction(messages[before])) before--;
    if (messages[before]?.role !== "tool") return at + 1;
  }
  return 0;
}

function isInstruction(message: ChatMessage | undefined): boolean {
  return message?.role === "system" || message?.role === "developer";
}

/** Empty messages are not sent. */
function isAssistant(message: ChatMessage): message is AssistantMessage {
  return (
    message.role === "assistant" && (!!message.toolCalls?.length || (message.content ?? "").trim() !== "")
  );
}

function isThinking(namespace: string, signature: string | undefined): boolean {
  const kind = decodeSeal(namespace, signature)?.kind;
  return kind === "reasoning" || kind === "redacted" || kind === "redacted-content";
}

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
