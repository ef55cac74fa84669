import type { Usage } from "../../../catalog/index.ts";

/** On this wire, prompt tokens include cached tokens, and completion tokens include reasoning tokens. */
export function encodeUsage({ unpriced, ...usage }: Usage) {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: usage.audioInputTokens ?? 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: unpriced?.audio ?? 0,
      accepted_prediction_tokens: unpriced?.acceptedPrediction ?? 0,
      rejected_prediction_tokens: unpriced?.rejectedPrediction ?? 0,
    },
  };
}
