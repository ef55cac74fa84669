import type { Usage } from "../../../catalog/index.ts";

/** Prompt tokens include the cached ones and completion tokens the reasoning ones, as this wire counts. */
export function encodeUsage(usage: Usage) {
  const { cachedInputTokens: cached, cacheWriteTokens: written, audioInputTokens: audio } = usage;
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details:
      audio === undefined
        ? { cached_tokens: cached, cache_write_tokens: written }
        : { cached_tokens: cached, cache_write_tokens: written, audio_tokens: audio },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
