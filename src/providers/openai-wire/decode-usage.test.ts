import { describe, expect, test } from "bun:test";
import { decodeUsage } from "./decode-usage.ts";

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
      { inputTokens: 384, outputTokens: 8 },
    ],
    [
      "with a total that nothing explains",
      { ...counts, total_tokens: 999 },
      { inputTokens: 100, outputTokens: 20 },
    ],
    ["of zero", { prompt_tokens: 0, completion_tokens: 0 }, { inputTokens: 0, outputTokens: 0 }],
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
    expect(decodeUsage(given, false)).toEqual(expected as never);
  });

  test("of more cached tokens than were sent stands, unless the vendor is known for it", () => {
    const given = { prompt_tokens: 7, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 163 } };
    expect(decodeUsage(given, false)?.cachedInputTokens).toBe(163);
    expect(decodeUsage(given, true)?.cachedInputTokens).toBe(7);
  });
});
