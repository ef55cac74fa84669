import type { Usage } from "../../../catalog/index.ts";

/** On this wire, prompt tokens include cached tokens, and completion tokens include reasoning tokens. */
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
