import type { ChatFinishReason, ChatOutcome, Paid } from "../../generation/index.ts";
import type { RateState } from "../../kit/index.ts";
import { encodeCharge } from "../charge.ts";
import { jsonReply } from "../reply.ts";
import { setRateHeaders } from "./errors.ts";

export function chatReply(requestId: string, paid: Paid<ChatOutcome>): Response {
  const { outcome } = paid;
  const response = jsonReply(requestId, {
    request_id: paid.requestId,
    model: outcome.model,
    message: { role: "assistant", content: outcome.answers[0]?.content ?? "" },
    ...chatEnd(paid),
  });
  return markReply(response, paid);
}

/** What the reply and the `done` event both end with. */
export function chatEnd(paid: Paid<ChatOutcome>) {
  const { finishReason, usage } = paid.outcome;
  return {
    finish_reason: finishReasonOf(finishReason),
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    ...encodeCharge(paid),
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
