import type { FinishReason } from "../../contract/index.ts";
import type { ChatOutcome, Paid } from "../../generation/index.ts";
import { encodeCharge } from "../fields/paid-fields.ts";
import { jsonReply } from "../reply.ts";
import { markReply } from "./mark-reply.ts";

export function chatReply(requestId: string, paid: Paid<ChatOutcome>): Response {
  const { outcome } = paid;
  const response = jsonReply(requestId, {
    request_id: paid.requestId,
    model: outcome.model,
    message: { role: "assistant", content: wordsOf(outcome) },
    ...chatEnd(paid),
  });
  return markReply(response, paid);
}

/** A model declines in a separate `refusal` text. This interface has no field for it, so it is content. */
function wordsOf({ answers: [answer] }: ChatOutcome): string {
  return answer ? answer.content + answer.refusal : "";
}

/** The fields that end both the reply and the `done` event. */
export function chatEnd(paid: Paid<ChatOutcome>) {
  const { finishReason, usage } = paid.outcome;
  return {
    finish_reason: finishReasonOf(finishReason),
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    ...encodeCharge(paid),
  };
}

/** This interface offers no tools, so no reply can end in a tool call. */
function finishReasonOf(reason: FinishReason): string {
  return reason === "tool_calls" ? "stop" : reason;
}
