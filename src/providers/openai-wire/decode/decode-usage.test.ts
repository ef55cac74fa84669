import { describe, expect, test } from "bun:test";
import { decodeUsage } from "./decode-usage.ts";

const HABITS = { cachesBeyondPrompt: false, mostWithReasoning: 0 };

const counts = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

describe("reported usage", () => {
  test.each<[string, unknown, unknown]>([
    ["plain", counts, { inputTokens: 100, outputTokens: 20 }],
    ["of the newer names", { input_tokens: 1, output_tokens: 2 }, { inputTokens: 1, outputTokens: 2 }],
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
      "with hits of a cache",
      { ...counts, prompt_cache_hit_tokens: 64 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64 },
    ],
    [
      "with cached tokens on top",
      { ...counts, cached_tokens: 7 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 7 },
    ],
    [
      "with cached tokens by Mistral's name",
      { ...counts, num_cached_tokens: 64 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64 },
    ],
    [
      "with details of a prompt token, as Mistral says it",
      { ...counts, prompt_token_details: { cached_tokens: 64 } },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64 },
    ],
    [
      "with Alibaba's name for what a cache was given, as a part of the prompt",
      {
        ...counts,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 80, cache_type: "ephemeral" },
      },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    [
      "with that name alone, which is no part beside the prompt, whatever the total",
      { ...counts, total_tokens: 200, prompt_tokens_details: { cache_creation_input_tokens: 80 } },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    [
      "with none of it in the details, but beside them",
      {
        ...counts,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_tokens: 0 },
        cache_creation_input_tokens: 80,
      },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    [
      "with LiteLLM's name for it",
      { ...counts, prompt_tokens_details: { cached_tokens: 0, cache_creation_tokens: 80 } },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 80 },
    ],
    ...[null, 0].map((cached): [string, unknown, unknown] => [
      `with more under that name than prompt, so beside it, and ${cached} cached`,
      { ...counts, prompt_tokens_details: { cached_tokens: cached, cache_creation_tokens: 900 } },
      { inputTokens: 1000, outputTokens: 20, cacheWriteTokens: 900 },
    ]),
    [
      "with more than prompt together with Anthropic's name for what was cached, so beside it",
      { ...counts, prompt_tokens_details: { cache_creation_tokens: 60 }, cache_read_input_tokens: 90 },
      { inputTokens: 250, outputTokens: 20, cachedInputTokens: 90, cacheWriteTokens: 60 },
    ],
    [
      "with more under that name than prompt, beside what was cached under ours, which nobody believes",
      { ...counts, prompt_tokens_details: { cached_tokens: 40, cache_creation_tokens: 900 } },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 900 },
    ],
    [
      "with none by Mistral's name and some by Anthropic's, beside the prompt",
      { input_tokens: 100, output_tokens: 20, num_cached_tokens: 0, cache_read_input_tokens: 900 },
      { inputTokens: 1000, outputTokens: 20, cachedInputTokens: 900 },
    ],
    [
      "with Anthropic's names for the cache, as a part of the prompt",
      { ...counts, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "with Anthropic's names beside our own, of which ours count",
      { ...counts, prompt_tokens_details: { cached_tokens: 40 }, cache_read_input_tokens: 40 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
    ],
    [
      "with Anthropic's names for all of it, beside the prompt",
      {
        ...{ input_tokens: 100, output_tokens: 20 },
        ...{ cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
      },
      { inputTokens: 150, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "with more of Anthropic's cache than prompt, so beside it",
      { prompt_tokens: 100, completion_tokens: 20, cache_read_input_tokens: 900 },
      { inputTokens: 1000, outputTokens: 20, cachedInputTokens: 900 },
    ],
    [
      "with Anthropic's cache in the total, so beside the prompt",
      { ...counts, total_tokens: 170, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 },
      { inputTokens: 150, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "with Anthropic's names for a cache that was not used",
      { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "with more written to the cache, under our name, than was sent, which nobody believes",
      { ...counts, prompt_tokens_details: { cache_write_tokens: 900 } },
      { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 900 },
    ],
    [
      "with a text under Anthropic's name",
      { ...counts, cache_read_input_tokens: "40" },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: Number.NaN },
    ],
    [
      "with reasoning on top",
      { ...counts, reasoning_tokens: 3 },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 3 },
    ],
    [
      "with details that are null",
      { ...counts, prompt_tokens_details: null, completion_tokens_details: null },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "whose output leaves the reasoning out",
      {
        prompt_tokens: 12,
        completion_tokens: 1,
        total_tokens: 303,
        completion_tokens_details: { reasoning_tokens: 290 },
      },
      { inputTokens: 12, outputTokens: 291, reasoningTokens: 290 },
    ],
    [
      "whose input leaves the spoken part out",
      {
        prompt_tokens: 9,
        completion_tokens: 8,
        total_tokens: 392,
        prompt_tokens_details: { audio_tokens: 375 },
      },
      { inputTokens: 384, outputTokens: 8, audioInputTokens: 375 },
    ],
    [
      "with a spoken part",
      { ...counts, prompt_tokens_details: { audio_tokens: 60, cached_tokens: 10 } },
      { inputTokens: 100, outputTokens: 20, audioInputTokens: 60, cachedInputTokens: 10 },
    ],
    [
      "with a spoken part of which some was cached",
      { ...counts, prompt_tokens_details: { audio_tokens: 60, cached_tokens: 70 } },
      { inputTokens: 100, outputTokens: 20, audioInputTokens: 30, cachedInputTokens: 70 },
    ],
    [
      "with a spoken part that can be none",
      { ...counts, prompt_tokens_details: { audio_tokens: -6 } },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "with a total that is too small",
      { ...counts, total_tokens: 7 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    ["with a total of text", { ...counts, total_tokens: "150" }, { inputTokens: 100, outputTokens: 20 }],
    ["with half a token more", { ...counts, total_tokens: 120.5 }, { inputTokens: 100, outputTokens: 20 }],
    [
      "with a total that nothing explains",
      { ...counts, total_tokens: 5_000 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "of research, whose reasoning is a step of its own and billed beside the output",
      {
        ...{ prompt_tokens: 7, completion_tokens: 3_847, total_tokens: 3_854 },
        ...{ citation_tokens: 47_293, num_search_queries: 18, reasoning_tokens: 308_156 },
      },
      { inputTokens: 7, outputTokens: 312_003, reasoningTokens: 308_156 },
    ],
    [
      "of research, in whose total the reasoning is",
      {
        ...{ prompt_tokens: 7, completion_tokens: 40, total_tokens: 347 },
        ...{ citation_tokens: 10, reasoning_tokens: 300 },
      },
      { inputTokens: 7, outputTokens: 340, reasoningTokens: 300 },
    ],
    ...[{ total_tokens: 60 }, {}].map((total): [string, unknown, unknown] => [
      `of research, of which a total of ${total.total_tokens} does not tell where the reasoning is`,
      { prompt_tokens: 7, completion_tokens: 40, ...total, citation_tokens: 10, reasoning_tokens: 300 },
      { inputTokens: 7, outputTokens: 40, reasoningTokens: 40 },
    ]),
    [
      "of research with less reasoning than output, which may be a part of it",
      {
        ...{ prompt_tokens: 7, completion_tokens: 40, total_tokens: 47 },
        ...{ citation_tokens: 10, reasoning_tokens: 30 },
      },
      { inputTokens: 7, outputTokens: 40, reasoningTokens: 30 },
    ],
    [
      "with more reasoning than output, as a server's rough count has it",
      { ...counts, completion_tokens_details: { reasoning_tokens: 21 } },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20 },
    ],
    [
      "with more reasoning than output, which stands apart from it",
      { prompt_tokens: 35, completion_tokens: 30, total_tokens: 65, reasoning_tokens: 9_000 },
      { inputTokens: 35, outputTokens: 30, reasoningTokens: 30 },
    ],
    [
      "with reasoning that can be no count",
      { ...counts, reasoning_tokens: 20.5 },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20.5 },
    ],
    ["of zero", { prompt_tokens: 0, completion_tokens: 0 }, { inputTokens: 0, outputTokens: 0 }],
    [
      "of the newer names, beside zeros of the older",
      { ...{ prompt_tokens: 0, completion_tokens: 0 }, input_tokens: 9_100, output_tokens: 2_000 },
      { inputTokens: 9_100, outputTokens: 2_000 },
    ],
    [
      "of the older names, beside zeros of the newer",
      { ...counts, input_tokens: 0, output_tokens: 0 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    [
      "with details under the newer names, beside those that say nothing",
      {
        ...{ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } },
        ...{ input_tokens: 100, output_tokens: 20, input_tokens_details: { cached_tokens: 40 } },
        ...{ completion_tokens_details: {}, output_tokens_details: { reasoning_tokens: 5 } },
      },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 },
    ],
    [
      "with details under the older names alone",
      {
        ...{ prompt_tokens: 0, completion_tokens: 0, input_tokens: 100, output_tokens: 20 },
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, reasoningTokens: 5 },
    ],
    [
      "of zero beside what is no number",
      { prompt_tokens: 0, completion_tokens: 0, input_tokens: "5", output_tokens: null },
      { inputTokens: 0, outputTokens: 0 },
    ],
    ["that is negative", { prompt_tokens: -1, completion_tokens: 2 }, { inputTokens: -1, outputTokens: 2 }],
    ["of text", { prompt_tokens: "11", completion_tokens: 2 }, { inputTokens: Number.NaN, outputTokens: 2 }],
    [
      "of text for what was cached",
      { prompt_tokens: 5, completion_tokens: 2, cached_tokens: "3" },
      { inputTokens: 5, outputTokens: 2, cachedInputTokens: Number.NaN },
    ],
    ["of one count", { prompt_tokens: 5 }, { inputTokens: 5, outputTokens: Number.NaN }],
    ["that is empty", {}, null],
    ["that is no object", "many", null],
  ])("%s", (_, given, expected) => {
    expect(decodeUsage(given, HABITS)).toEqual(expected as never);
  });

  test("of more cached tokens than were sent stands, unless the vendor is known for it", () => {
    const given = { prompt_tokens: 7, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 163 } };
    expect(decodeUsage(given, HABITS)?.cachedInputTokens).toBe(163);
    expect(decodeUsage(given, { ...HABITS, cachesBeyondPrompt: true })?.cachedInputTokens).toBe(7);
  });
});

describe("usage of a model whose thoughts show in the total alone, as Gemini's do", () => {
  test.each<[string, unknown, unknown]>([
    [
      "has them in its output",
      { prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 },
      { inputTokens: 35, outputTokens: 74, reasoningTokens: 62 },
    ],
    [
      "beside what was cached",
      { ...counts, total_tokens: 150, prompt_tokens_details: { cached_tokens: 40 } },
      { inputTokens: 100, outputTokens: 50, cachedInputTokens: 40, reasoningTokens: 30 },
    ],
    [
      "up to the limit that was sent",
      { ...counts, total_tokens: 300 },
      { inputTokens: 100, outputTokens: 200, reasoningTokens: 180 },
    ],
    ["and not beyond it", { ...counts, total_tokens: 301 }, { inputTokens: 100, outputTokens: 20 }],
    [
      "unless the total counts what was cached once more",
      { ...counts, total_tokens: 160, prompt_tokens_details: { cached_tokens: 40 } },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
    ],
    [
      "unless the total counts all of the cache once more",
      { ...counts, total_tokens: 170, cached_tokens: 40, cache_creation_input_tokens: 10 },
      { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40, cacheWriteTokens: 10 },
    ],
    [
      "unless it names its reasoning",
      { ...counts, total_tokens: 150, reasoning_tokens: 3 },
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 3 },
    ],
    [
      "unless it says of reasoning that there was none",
      { ...counts, total_tokens: 150, reasoning_tokens: 0 },
      { inputTokens: 100, outputTokens: 20 },
    ],
  ])("%s", (_, given, expected) => {
    expect(decodeUsage(given, { ...HABITS, mostWithReasoning: 200 })).toEqual(expected as never);
  });
});
