import { inputBoundTokens, outputTokensFor, type Plan, type TextModel, textQuote } from "../catalog/index.ts";
import { estimateChatTokens } from "../efficiency/index.ts";
import type { EfficiencyLevel, Principal } from "../identity/index.ts";
import { AppError, type Credits } from "../kit/index.ts";
import type { ChatMessage, ChatRequest } from "../providers/index.ts";
import type { Span } from "../telemetry/index.ts";
import type { PaidCall } from "./produced.ts";

/** A chat call, decoded and resolved: everything a wire knows of it. */
export type ChatCall = {
  readonly principal: Principal;
  readonly plan: Plan;
  readonly memberUserId: string | null;
  readonly requestId: string;
  readonly endpoint: string;
  readonly model: TextModel;
  readonly messages: readonly ChatMessage[];
  /** The caller's own limit; null lets the hold decide. */
  readonly maxTokens: number | null;
  readonly efficiency: EfficiencyLevel;
  readonly idempotency: { readonly key: string; readonly fingerprint: Uint8Array } | null;
  readonly span: Span;
};

/** A chat call with its numbers: what to hold, and what the hold buys. */
export type QuotedChat = {
  readonly call: ChatCall;
  readonly paidCall: PaidCall;
  readonly estimatedInputTokens: number;
  requestFor(granted: Credits): ChatRequest;
};

/** A hold outlives its call's deadline by this much, so that a slow settlement still finds it. */
const HOLD_GRACE_MS = 60_000;

/** Answers to one call; more than one comes with the compatible interface. */
export const ONE_ANSWER = 1;

export function quoteChat(call: ChatCall, timeoutMs: number): QuotedChat {
  const { model, messages, principal, plan, maxTokens } = call;
  const estimateTokens = estimateChatTokens(messages);
  if (estimateTokens > model.limits.contextTokens) throw tooLong(estimateTokens, model);
  const bounds = {
    model,
    inputBoundTokens: inputBoundTokens({ model, estimateTokens, messages: messages.length }),
    n: ONE_ANSWER,
  };
  const quote = textQuote({ ...bounds, maxOutputTokens: maxTokens });
  return {
    call,
    estimatedInputTokens: estimateTokens,
    requestFor: (granted) => ({
      messages,
      maxOutputTokens: maxTokens ?? outputTokensFor({ ...bounds, granted }),
    }),
    paidCall: {
      admission: {
        orgId: principal.organization.id,
        requestId: call.requestId,
        keyId: principal.keyId,
        memberUserId: call.memberUserId,
        endpoint: call.endpoint,
        model: model.id,
        kind: "call",
        minimum: quote.minimum,
        full: quote.full,
        requestsPerMinute: plan.requestsPerMinute,
        inFlight: plan.inFlight,
        keyRequestsPerMinute: principal.limits.requestsPerMinute,
        keyInFlight: principal.limits.inFlight,
        holdTtlMs: timeoutMs + HOLD_GRACE_MS,
        idempotency: call.idempotency,
      },
      priceRuleId: model.priceRule.id,
      timeoutMs,
      span: call.span,
    },
  };
}

/** Refused before anything is held: a provider that took it would bill at rates beyond the model's price. */
function tooLong(estimateTokens: number, { limits }: TextModel): AppError {
  const message = `messages: about ${estimateTokens} tokens, more than the ${limits.contextTokens} that this model takes`;
  return new AppError("validation_error", message, { field: "messages", reason: "context_length_exceeded" });
}
