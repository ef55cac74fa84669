import {
  believableUsage,
  inputBoundTokens,
  outputTokensFor,
  type Plan,
  type TextModel,
  textCost,
  textQuote,
} from "../catalog/index.ts";
import { estimateChatTokens, estimateTokens, reportWithoutCompaction } from "../efficiency/index.ts";
import type { EfficiencyLevel, Principal } from "../identity/index.ts";
import type { Credits } from "../kit/index.ts";
import type { ChatMessage, Registry } from "../providers/index.ts";
import type { Log, Span } from "../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { answerFromTargets, type ChatAnswer } from "./chat-targets.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import { HOLD_GRACE_MS, type PayFor, type Produced } from "./paid-call.ts";

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

export type ChatDeps = {
  readonly payFor: PayFor;
  readonly registry: Registry;
  readonly metrics: CallMetrics;
  readonly log: Log;
  readonly timeoutMs: number;
};

const ONE_ANSWER = 1;

export function createChat(deps: ChatDeps): (call: ChatCall) => Promise<Paid<ChatOutcome>> {
  return (call) => {
    const estimateTokens = estimateChatTokens(call.messages);
    const bounds = {
      model: call.model,
      inputBoundTokens: inputBoundTokens({
        model: call.model,
        estimateTokens,
        messages: call.messages.length,
      }),
      n: ONE_ANSWER,
    };
    const quote = textQuote({ ...bounds, maxOutputTokens: call.maxTokens });
    return deps.payFor({
      admission: {
        orgId: call.principal.organization.id,
        requestId: call.requestId,
        keyId: call.principal.keyId,
        memberUserId: call.memberUserId,
        endpoint: call.endpoint,
        model: call.model.id,
        kind: "call",
        minimum: quote.minimum,
        full: quote.full,
        requestsPerMinute: call.plan.requestsPerMinute,
        inFlight: call.plan.inFlight,
        keyRequestsPerMinute: call.principal.limits.requestsPerMinute,
        keyInFlight: call.principal.limits.inFlight,
        holdTtlMs: deps.timeoutMs + HOLD_GRACE_MS,
        idempotency: call.idempotency,
      },
      priceRuleId: call.model.priceRule.id,
      timeoutMs: deps.timeoutMs,
      span: call.span,
      async produce(granted: Credits, signal: AbortSignal) {
        const maxOutputTokens = call.maxTokens ?? outputTokensFor({ ...bounds, granted });
        const answer = await answerFromTargets({
          registry: deps.registry,
          model: call.model,
          request: { messages: call.messages, maxOutputTokens },
          context: { requestId: call.requestId, signal },
        });
        return priced(deps, call, answer, estimateTokens);
      },
    });
  };
}

function priced(
  deps: ChatDeps,
  call: ChatCall,
  answer: ChatAnswer,
  estimatedInputTokens: number,
): Produced<ChatOutcome> {
  const { usage, source } = believableUsage({
    reported: answer.usage,
    model: call.model,
    n: ONE_ANSWER,
    estimate: {
      inputTokens: estimatedInputTokens,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: estimateTokens(answer.content),
      reasoningTokens: 0,
    },
  });
  if (source === "disbelieved") {
    deps.log.error("usage_disbelieved", { request_id: call.requestId, target: answer.target });
    deps.metrics.disbelieved();
  }
  return {
    outcome: {
      model: call.model.id,
      content: answer.content,
      finishReason: answer.finishReason,
      usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
      efficiency: reportWithoutCompaction(estimatedInputTokens),
    },
    cost: textCost({ model: call.model, usage, n: ONE_ANSWER }),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    tokensSaved: 0,
    target: answer.target,
  };
}
