import type { Usage } from "../../../catalog/index.ts";
import type { ChatOutcome, Paid, WholeAnswer } from "../../../generation/index.ts";
import { credits } from "../../../kit/index.ts";
import { type CallStyle, PLAIN_CALLS } from "../call-style.ts";
import { createCallSeal } from "../sealed/sealed-call-id.ts";
import type { ChoiceForm } from "./chat-choice.ts";

/** For tests of how chat answers are written: paid calls with made-up answers. */

export const REQUEST_ID = "0190e3c2-0000-7000-8000-0000000000c1";
/** The seconds in that id. */
export const CREATED = Math.floor(0x0190e3c20000 / 1000);

/** When the answers here were whole. */
export const COMPLETED = CREATED + 7;

export const callSeal = createCallSeal("a secret for tests");

export function formWith(style: Partial<CallStyle> = {}): ChoiceForm {
  return { style: { ...PLAIN_CALLS, ...style }, callSeal };
}

const USAGE: Usage = {
  inputTokens: 30,
  outputTokens: 20,
  cachedInputTokens: 10,
  cacheWriteTokens: 5,
  reasoningTokens: 8,
  audioInputTokens: 4,
  unpriced: { audio: 3, acceptedPrediction: 2, rejectedPrediction: 1 },
};

export const WIRE_USAGE = {
  prompt_tokens: 30,
  completion_tokens: 20,
  total_tokens: 50,
  prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 5, audio_tokens: 4 },
  completion_tokens_details: {
    ...{ reasoning_tokens: 8, audio_tokens: 3 },
    ...{ accepted_prediction_tokens: 2, rejected_prediction_tokens: 1 },
  },
};

export const CHARGE = {
  credits_charged: 3,
  balance: { subscription: 10, anytime: 20 },
  efficiency: { original_estimated_tokens: 30, compacted_estimated_tokens: 30, tokens_saved: 0, actions: [] },
};

export function answerWith(changes: Partial<WholeAnswer> = {}): WholeAnswer {
  return {
    content: "",
    refusal: "",
    reasoning: [],
    toolCalls: [],
    logprobs: [],
    finishReason: "stop",
    ...changes,
  };
}

export function paidFor(
  answers: readonly WholeAnswer[],
  changes: Partial<ChatOutcome> = {},
): Paid<ChatOutcome> {
  return {
    requestId: REQUEST_ID,
    replayed: false,
    outcome: {
      model: "acme-chat",
      answers,
      wire: null,
      finishReason: answers[0]?.finishReason ?? "stop",
      usage: USAGE,
      efficiency: { originalEstimatedTokens: 30, compactedEstimatedTokens: 30, tokensSaved: 0, actions: [] },
      completedAtMs: COMPLETED * 1000 + 999,
      ...changes,
    },
    creditsCharged: credits(3),
    balance: { subscription: credits(10), anytime: credits(20) },
    rate: { limit: 600, remaining: 599, resetSeconds: 42 },
  };
}
