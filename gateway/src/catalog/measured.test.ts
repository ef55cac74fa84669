import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pricedCalls } from "../../../test/priced-calls.ts";
import { costByReceipt } from "../../../test/receipt-cost.ts";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { credits } from "../kit/index.ts";
import type { Usage } from "./cost.ts";
import { measuredText, pricedVideo } from "./measured.ts";
import { measuredWords, readMeasured } from "./measured-words.ts";
import { modelFrom } from "./testing.ts";

const PLAIN: Usage = {
  inputTokens: 12_000,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 900,
  reasoningTokens: 0,
};

test("every cost can be recomputed from its rule, its tokens and its measured record", () => {
  fc.assert(
    fc.property(pricedCalls, ({ rule, cost, measured, ...tokens }) => {
      const kept = measured === null ? null : JSON.parse(measured);
      expect(costByReceipt({ rule: JSON.parse(rule.json), measured: kept, ...tokens })).toBe(cost);
    }),
    { numRuns: roundsOfRun(2_000) },
  );
});

describe("the measured record of a text call", () => {
  const model = modelFrom({
    type: "text",
    price: {
      input_per_million: 3_000,
      output_per_million: 15_000,
      cached_input_per_million: 300,
      cache_write_per_million: 3_750,
    },
  });
  const kept = (usage: Partial<Usage>, n = 1) => measuredText({ model, usage: { ...PLAIN, ...usage }, n });

  test("is null if the input and output tokens alone explain the cost", () => {
    expect(kept({})).toBeNull();
    expect(kept({ audioInputTokens: 0 })).toBeNull();
  });

  test.each<[string, Partial<Usage>, number]>([
    ['{"cached_input_tokens":11000,"cache_saved":29700000}', { cachedInputTokens: 11_000 }, 1],
    // Writing alone costs more than it saves.
    ['{"cache_write_tokens":5,"cache_saved":-3750}', { cacheWriteTokens: 5 }, 1],
    ['{"audio_input_tokens":7}', { audioInputTokens: 7 }, 1],
    ['{"reasoning_tokens":900}', { reasoningTokens: 900 }, 1],
    // Equal parts must not cancel each other out.
    [
      '{"cached_input_tokens":5,"cache_write_tokens":5,"cache_saved":9750}',
      { cachedInputTokens: 5, cacheWriteTokens: 5 },
      1,
    ],
    [
      '{"cached_input_tokens":5,"audio_input_tokens":5,"cache_saved":13500}',
      { cachedInputTokens: 5, audioInputTokens: 5 },
      1,
    ],
    [
      '{"cached_input_tokens":5,"reasoning_tokens":5,"cache_saved":13500}',
      { cachedInputTokens: 5, reasoningTokens: 5 },
      1,
    ],
    ['{"n":3}', {}, 3],
    // Requested, but none came: no answer is charged.
    ['{"n":0}', {}, 0],
    ['{"cached_input_tokens":9,"cache_saved":24300,"n":128}', { cachedInputTokens: 9 }, 128],
  ])("is exactly %s", (expected, usage, n) => {
    expect(kept(usage, n)).toBe(expected);
  });
});

test("a video that costs more than its estimate is charged the estimate, and its record says so", () => {
  const model = modelFrom({
    type: "video",
    credits_per_request: 1,
    price: { per_second: { "720p": 5 } },
    limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
  });
  const made = { model, durationMs: 4_000, resolution: "720p", sound: false, draft: false };
  const measured = '{"duration_ms":4000,"resolution":"720p"}';
  expect(pricedVideo({ ...made, atMost: credits(20) })).toEqual({ cost: credits(20), measured });
  const capped = '{"duration_ms":4000,"resolution":"720p","at_most":19}';
  expect(pricedVideo({ ...made, atMost: credits(19) })).toEqual({ cost: credits(19), measured: capped });
});

describe("measuredWords", () => {
  test.each([
    [null, null, null],
    [{ cached_input_tokens: 11_000 }, "of which 11,000 cached", null],
    [
      { cached_input_tokens: 1, cache_write_tokens: 2_000, audio_input_tokens: 3, reasoning_tokens: 4 },
      "of which 1 cached, 2,000 written to the cache, 3 spoken",
      "of which 4 reasoning",
    ],
  ])("describes the tokens of %j", (kept, input, output) => {
    expect(measuredWords(kept)).toEqual({ input, output, work: null });
  });

  test.each([
    [{ n: 3 }, "3 answers"],
    [{ n: 0 }, "0 answers"],
    [{ images: { "1k": 2 } }, "2 images at 1k"],
    [{ images: { "1k": 1, "4k": 2 }, oblong: true }, "1 image at 1k, 2 images at 4k, not square"],
    [{ duration_ms: 4_000, resolution: "720p", sound: true }, "4 s at 720p with sound"],
    [{ duration_ms: 4_040, resolution: "480p", draft: true }, "4.04 s at 480p as a draft"],
    [
      { duration_ms: 9_000, resolution: "4k", at_most: 1 },
      "9 s at 4k, no more than its estimate of 1 credit",
    ],
    [{ characters: 312 }, "312 characters"],
    [{ characters: 1 }, "1 character"],
    [{ duration_ms: 30_500 }, "30.5 s"],
  ])("describes the work of %j", (kept, work) => {
    expect(measuredWords(kept)).toEqual({ input: null, output: null, work });
  });

  test.each([undefined, "", 7, { n: "3" }, { images: "many" }, { cached_input_tokens: -1 }, { n: 1e300 }])(
    "describes nothing of the invalid record %j",
    (kept) => {
      expect(readMeasured(kept)).toEqual({});
      expect(measuredWords(kept)).toEqual({ input: null, output: null, work: null });
    },
  );

  test("ignores unknown fields of a later version", () => {
    expect(measuredWords({ characters: 2, of_later: true }).work).toBe("2 characters");
  });
});
