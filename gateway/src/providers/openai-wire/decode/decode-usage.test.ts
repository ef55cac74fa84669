import { describe, expect, test } from "bun:test";
import { decodeUsage } from "./decode-usage.ts";

const HABITS = { cachesBeyondPrompt: false, mostWithReasoning: 0 };

const counts = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

describe("reported usage", () => {
  test.each<[string, unknown, unknown]>([
    ["plain", counts, { inputTokens: 100, outputTokens: 20 }],
    [
      "with the newer field names",
      { input_tokens: 1, output_tokens: 2 },
      { inputTokens: 1, outputTokens: 2 },
    ],
    [
      "with details",
      {
        ...counts,
        prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10, reasoningTokens: 5 },
    ],
    [
      "with prompt_cache_hit_tokens",
      { ...counts, prompt_cache_hit_tokens: 64 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64 },
    ],
    [
      "with cached_tokens at the top level",
      { ...counts, cached_tokens: 7 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 7 },
    ],
    [
      "with Mistral's num_cached_tokens",
      { ...counts, num_cached_tokens: 64 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64 },
    ],
    [
      "with Mistral's prompt_token_details",
      { ...counts, prompt_token_details: { cached_tokens: 64 } },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64 },
    ],
    [
      "with Alibaba's name for cache writes, which are part of the prompt",
      {
        ...counts,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 80, cache_type: "ephemeral" },
      },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    [
      "with that name alone: part of the prompt, whatever the total says",
      { ...counts, total_tokens: 200, prompt_tokens_details: { cache_creation_input_tokens: 80 } },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    [
      "with cache writes outside the details, which say 0",
      {
        ...counts,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_tokens: 0 },
        cache_creation_input_tokens: 80,
      },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    [
      "with LiteLLM's name for cache writes",
      { ...counts, prompt_tokens_details: { cached_tokens: 0, cache_creation_tokens: 80 } },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    ...[null, 0].map((cached): [string, unknown, unknown] => [
      `with more under that name than prompt, so in addition to it, and ${cached} cached`,
      { ...counts, prompt_tokens_details: { cached_tokens: cached, cache_creation_tokens: 900 } },
      { inputTokens: 1000, outputTokens: 20, cacheWriteTokens: 900 },
    ]),
    [
      "with more than the prompt together with Anthropic's cache reads, so in addition to it",
      { ...counts, prompt_tokens_details: { cache_creation_tokens: 60 }, cache_read_input_tokens: 90 },
      { inputTokens: 250, outputTokens: 20, cachedInputTokens: 90, cacheWriteTokens: 60 },
    ],
    [
      "with more under that name than prompt, and cached tokens under OpenAI's name: unchanged",
      { ...counts, prompt_tokens_details: { cached_tokens: 40, cache_creation_tokens: 900 } },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 900 },
    ],
    [
      "with 0 under Mistral's name and some under Anthropic's, in addition to the prompt",
      { input_tokens: 100, output_tokens: 20, num_cached_tokens: 0, cache_read_input_tokens: 900 },
      { inputTokens: 1000, outputTokens: 20, cachedInputTokens: 900 },
    ],
    [
      "with Anthropic's cache names, as part of the prompt",
      { ...counts, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "with Anthropic's and OpenAI's cache names, of which OpenAI's count",
      { ...counts, prompt_tokens_details: { cached_tokens: 40 }, cache_read_input_tokens: 40 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
    ],
    [
      "with Anthropic's names throughout: the cache is in addition to the prompt",
      {
        ...{ input_tokens: 100, output_tokens: 20 },
        ...{ cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
      },
      { inputTokens: 150, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "with more under Anthropic's cache name than prompt, so in addition to it",
      { prompt_tokens: 100, completion_tokens: 20, cache_read_input_tokens: 900 },
      { inputTokens: 1000, outputTokens: 20, cachedInputTokens: 900 },
    ],
    [
      "with Anthropic's cache in the total, so in addition to the prompt",
      { ...counts, total_tokens: 170, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
      { inputTokens: 150, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "with Anthropic's cache names that say 0",
      { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "with more cache writes under OpenAI's name than prompt: unchanged",
      { ...counts, prompt_tokens_details: { cache_write_tokens: 900 } },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 900 },
    ],
    [
      "with text under Anthropic's name: not a number",
      { ...counts, cache_read_input_tokens: "40" },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: Number.NaN },
    ],
    [
      "with reasoning_tokens at the top level",
      { ...counts, reasoning_tokens: 3 },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 3 },
    ],
    [
      "with details that are null",
      { ...counts, prompt_tokens_details: null, completion_tokens_details: null },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "whose output does not include the reasoning",
      {
        prompt_tokens: 12,
        completion_tokens: 1,
        total_tokens: 303,
        completion_tokens_details: { reasoning_tokens: 290 },
      },
      { inputTokens: 12, outputTokens: 291, reasoningTokens: 290 },
    ],
    [
      "whose input does not include the audio",
      {
        prompt_tokens: 9,
        completion_tokens: 8,
        total_tokens: 392,
        prompt_tokens_details: { audio_tokens: 375 },
      },
      { inputTokens: 384, outputTokens: 8, audioInputTokens: 375 },
    ],
    [
      "with audio input",
      { ...counts, prompt_tokens_details: { audio_tokens: 60, cached_tokens: 10 } },
      { inputTokens: 100, outputTokens: 20, audioInputTokens: 60, cachedInputTokens: 10 },
    ],
    [
      "with audio input of which some was cached",
      { ...counts, prompt_tokens_details: { audio_tokens: 60, cached_tokens: 70 } },
      { inputTokens: 100, outputTokens: 20, audioInputTokens: 30, cachedInputTokens: 70 },
    ],
    [
      "with a negative count of audio input",
      { ...counts, prompt_tokens_details: { audio_tokens: -6 } },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "with a total that is too small",
      { ...counts, total_tokens: 7 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    ["with a total that is text", { ...counts, total_tokens: "150" }, { inputTokens: 100, outputTokens: 20 }],
    ["with a fractional total", { ...counts, total_tokens: 120.5 }, { inputTokens: 100, outputTokens: 20 }],
    [
      "with a total that the other counts do not explain",
      { ...counts, total_tokens: 5_000 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "of research, whose reasoning is billed in addition to the output",
      {
        ...{ prompt_tokens: 7, completion_tokens: 3_847, total_tokens: 3_854 },
        ...{ citation_tokens: 47_293, num_search_queries: 18, reasoning_tokens: 308_156 },
      },
      { inputTokens: 7, outputTokens: 312_003, reasoningTokens: 308_156 },
    ],
    [
      "of research, whose total includes the reasoning",
      {
        ...{ prompt_tokens: 7, completion_tokens: 40, total_tokens: 347 },
        ...{ citation_tokens: 10, reasoning_tokens: 300 },
      },
      { inputTokens: 7, outputTokens: 340, reasoningTokens: 300 },
    ],
    ...[{ total_tokens: 60 }, {}].map((total): [string, unknown, unknown] => [
      `of research, whose total of ${total.total_tokens} does not show whether it includes the reasoning`,
      { prompt_tokens: 7, completion_tokens: 40, ...total, citation_tokens: 10, reasoning_tokens: 300 },
      { inputTokens: 7, outputTokens: 40, reasoningTokens: 40 },
    ]),
    [
      "of research with less reasoning than output, which may be part of it",
      {
        ...{ prompt_tokens: 7, completion_tokens: 40, total_tokens: 47 },
        ...{ citation_tokens: 10, reasoning_tokens: 30 },
      },
      { inputTokens: 7, outputTokens: 40, reasoningTokens: 30 },
    ],
    [
      "with slightly more reasoning than output: capped",
      { ...counts, completion_tokens_details: { reasoning_tokens: 21 } },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20 },
    ],
    [
      "with much more reasoning than output: capped",
      { prompt_tokens: 35, completion_tokens: 30, total_tokens: 65, reasoning_tokens: 9_000 },
      { inputTokens: 35, outputTokens: 30, reasoningTokens: 30 },
    ],
    [
      "with a fractional count of reasoning: unchanged",
      { ...counts, reasoning_tokens: 20.5 },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20.5 },
    ],
    ["of zero", { prompt_tokens: 0, completion_tokens: 0 }, { inputTokens: 0, outputTokens: 0 }],
    [
      "with the newer field names beside zeros under the older",
      { ...{ prompt_tokens: 0, completion_tokens: 0 }, input_tokens: 9_100, output_tokens: 2_000 },
      { inputTokens: 9_100, outputTokens: 2_000 },
    ],
    [
      "with the older field names beside zeros under the newer",
      { ...counts, input_tokens: 0, output_tokens: 0 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "with details under the newer names beside empty older ones",
      {
        ...{ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } },
        ...{ input_tokens: 100, output_tokens: 20, input_tokens_details: { cached_tokens: 40 } },
        ...{ completion_tokens_details: {}, output_tokens_details: { reasoning_tokens: 5 } },
      },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 },
    ],
    [
      "with details under the older names only",
      {
        ...{ prompt_tokens: 0, completion_tokens: 0, input_tokens: 100, output_tokens: 20 },
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 },
    ],
    [
      "of zero beside values that are not numbers",
      { prompt_tokens: 0, completion_tokens: 0, input_tokens: "5", output_tokens: null },
      { inputTokens: 0, outputTokens: 0 },
    ],
    [
      "that is negative: unchanged",
      { prompt_tokens: -1, completion_tokens: 2 },
      { inputTokens: -1, outputTokens: 2 },
    ],
    [
      "with text as a count: not a number",
      { prompt_tokens: "11", completion_tokens: 2 },
      { inputTokens: Number.NaN, outputTokens: 2 },
    ],
    [
      "with text as the cached count: not a number",
      { prompt_tokens: 5, completion_tokens: 2, cached_tokens: "3" },
      { inputTokens: 5, outputTokens: 2, cachedInputTokens: Number.NaN },
    ],
    [
      "with one count only: the other is not a number",
      { prompt_tokens: 5 },
      { inputTokens: 5, outputTokens: Number.NaN },
    ],
    ["that is empty: none", {}, null],
    ["that is not an object: none", "many", null],
  ])("%s", (_, given, expected) => {
    expect(decodeUsage(given, HABITS)).toEqual(expected as never);
  });

  test("with more cached tokens than prompt is unchanged, unless the vendor is known for that", () => {
    const given = { prompt_tokens: 7, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 163 } };
    expect(decodeUsage(given, HABITS)?.cachedInputTokens).toBe(163);
    expect(decodeUsage(given, { ...HABITS, cachesBeyondPrompt: true })?.cachedInputTokens).toBe(7);
  });
});

describe("usage of a model whose reasoning shows only in the total, like Gemini's", () => {
  test.each<[string, unknown, unknown]>([
    [
      "adds it to the output",
      { prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 },
      { inputTokens: 35, outputTokens: 74, reasoningTokens: 62 },
    ],
    [
      "adds it beside cached input",
      { ...counts, total_tokens: 150, prompt_tokens_details: { cached_tokens: 40 } },
      { inputTokens: 100, outputTokens: 50, cachedInputTokens: 40, reasoningTokens: 30 },
    ],
    [
      "adds it up to the requested limit",
      { ...counts, total_tokens: 300 },
      { inputTokens: 100, outputTokens: 200, reasoningTokens: 180 },
    ],
    [
      "does not add more than the requested limit",
      { ...counts, total_tokens: 301 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "adds nothing if the total counts cached input twice",
      { ...counts, total_tokens: 160, prompt_tokens_details: { cached_tokens: 40 } },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
    ],
    [
      "adds nothing if the total counts cache reads and writes twice",
      { ...counts, total_tokens: 170, cached_tokens: 40, cache_creation_input_tokens: 10 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "adds nothing if reasoning is reported",
      { ...counts, total_tokens: 150, reasoning_tokens: 3 },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 3 },
    ],
    [
      "adds nothing if reasoning is reported as 0",
      { ...counts, total_tokens: 150, reasoning_tokens: 0 },
      { inputTokens: 100, outputTokens: 20 },
    ],
  ])("%s", (_, given, expected) => {
    expect(decodeUsage(given, { ...HABITS, mostWithReasoning: 200 })).toEqual(expected as never);
  });
});
