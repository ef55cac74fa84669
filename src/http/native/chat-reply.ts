import type { ChatFinishReason, ChatOutcome, Paid } from "../../generation/index.ts";
import type { RateState } from "../../kit/index.ts";
import { jsonReply } from "../reply.ts";
import { setRateHeaders } from "./errors.ts";

export function chatReply(requestId: string, paid: Paid<ChatOutcome>): Response {
  const { outcome } = paid;
  const response = jsonReply(requestId, {
    request_id: paid.requestId,
    model: outcome.model,
    message: { role: "assistant", content: outcome.content },
    ...chatEnd(paid),
  });
  return markReply(response, paid);
}

/** What the reply and the `done` event both end with. */
export function chatEnd({ outcome, balance, creditsCharged }: Paid<ChatOutcome>) {
  return {
    finish_reason: finishReasonOf(outcome.finishReason),
    usage: { input_tokens: outcome.usage.inputTokens, output_tokens: outcome.usage.outputTokens },
    credits_charged: creditsCharged,
    balance: { subscription: balance.subscription, anytime: balance.anytime },
    efficiency: {
      original_estimated_tokens: outcome.efficiency.originalEstimatedTokens,
      compacted_estimated_tokens: outcome.efficiency.compactedEstimatedTokens,
      tokens_saved: outcome.efficiency.tokensSaved,
      actions: outcome.efficiency.actions,
    },
  };
}

/** Where the caller stands in its rate window, and whether this is a repeat. */
export function markReply(
  response: Response,
  paid: { readonly rate: RateState | null; readonly replayed: boolean },
): Response {
  if (paid.rate) setRateHeaders(response.headers, paid.rate);
  if (paid.replayed) response.headers.set("idempotent-replayed", "true");
  return response;
}

/** No tools can be offered on this interface, so nothing can end in a call of one. */
function finishReasonOf(reason: ChatFinishReason): string {
  return reason === "tool_calls" ? "stop" : reason;
}
