import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { textCost, type Usage } from "./cost.ts";
import { modelFrom } from "./testing.ts";

const NOTHING: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

const price = {
  input_per_million: 3000,
  output_per_million: 15_000,
  cached_input_per_million: 300,
  cache_write_per_million: 3750,
  reasoning_per_million: 20_000,
};

describe("a text call costs", () => {
  const model = modelFrom({ type: "text", credits_per_request: 2, price });
  const cost = (usage: Partial<Usage>, n = 1) =>
    textCost({ model, n, usage: { ...NOTHING, ...usage } }) as number;

  test.each([
    ["its price per request if no tokens were used", {}, 1, 2],
    ["its price per request once for each answer", {}, 3, 6],
    ["the price of its tokens if that is higher", { inputTokens: 1000, outputTokens: 1000 }, 1, 18],
    ["the sum of all parts, rounded up once at the end", { inputTokens: 1, outputTokens: 999 }, 1, 15],
    ["cached input at its own rate", { inputTokens: 10_000, cachedInputTokens: 10_000 }, 1, 3],
    ["cache writes at their own rate", { inputTokens: 10_000, cacheWriteTokens: 10_000 }, 1, 38],
    [
      "all parts together, each at its own rate",
      {
        inputTokens: 60_000,
        cachedInputTokens: 20_000,
        cacheWriteTokens: 30_000,
        outputTokens: 21_000,
        reasoningTokens: 1000,
      },
      1,
      469,
    ],
    ["reasoning at its own rate, not twice", { outputTokens: 1000, reasoningTokens: 1000 }, 1, 20],
    ["exactly the sum if there is no remainder", { inputTokens: 2_000_000 }, 1, 6000],
    ["one credit more for the smallest remainder", { inputTokens: 2_000_000, outputTokens: 1 }, 1, 6001],
  ])("%s", (_, usage, n, expected) => {
    expect(cost(usage, n)).toBe(expected);
  });

  test("one credit more for a remainder that floating point would lose", () => {
    const costly = modelFrom({
      type: "text",
      price: { input_per_million: 1_000_000, output_per_million: 0.000001 },
      limits: { context_tokens: 100_000_000, max_output_tokens: 1 },
    });
    const usage = { ...NOTHING, inputTokens: 99_999_999, outputTokens: 1 };
    expect(textCost({ model: costly, usage, n: 1 }) as number).toBe(100_000_000);
  });

  test.each([
    ["more cached tokens than input", { cachedInputTokens: 1 }],
    ["more reasoning tokens than output", { reasoningTokens: 1 }],
    ["a negative count", { inputTokens: -1 }],
    ["a fraction", { outputTokens: 0.5 }],
    ["NaN", { outputTokens: Number.NaN }],
  ])("no amount for impossible usage: %s throws", (_, usage) => {
    expect(() => cost(usage)).toThrow("not a count");
  });
});

describe("spoken input costs", () => {
  const spoken = { ...NOTHING, inputTokens: 10_000, audioInputTokens: 4000, cachedInputTokens: 3000 };

  test("its own rate, while text and cached input keep theirs", () => {
    const model = modelFrom({ type: "text", price: { ...price, audio_input_per_million: 10_000 } });
    expect(textCost({ model, n: 1, usage: spoken }) as number).toBe(9 + 40 + 1);
  });

  test("the rate of text input if the model has no rate for audio", () => {
    const model = modelFrom({ type: "text", price });
    expect(textCost({ model, n: 1, usage: spoken }) as number).toBe(21 + 1);
  });

  test("the audio rate of long input, or its text rate if there is no audio rate", () => {
    const long = { ...price, above_tokens: 5000, input_per_million: 6000 };
    const costly = { ...price, audio_input_per_million: 5000 };
    const costs = [{ ...long, audio_input_per_million: 20_000 }, long].map((long_input) => {
      const model = modelFrom({ type: "text", price: { ...costly, long_input } });
      return textCost({ model, n: 1, usage: spoken }) as number;
    });
    expect(costs).toEqual([18 + 80 + 1, 18 + 24 + 1]);
  });

  test("no amount for impossible usage: more audio tokens than uncached input throws", () => {
    const model = modelFrom({ type: "text", price });
    const usage = { ...spoken, audioInputTokens: 7001 };
    expect(() => textCost({ model, n: 1, usage })).toThrow("not a count");
  });
});

describe("a text call with long input costs", () => {
  const long = {
    above_tokens: 200_000,
    input_per_million: 6000,
    output_per_million: 22_500,
    cached_input_per_million: 600,
    cache_write_per_million: 7500,
    reasoning_per_million: 30_000,
  };
  const model = modelFrom({ type: "text", price: { ...price, long_input: long } });
  const cost = (usage: Partial<Usage>) =>
    textCost({ model, n: 1, usage: { ...NOTHING, ...usage } }) as number;

  test("the base rates up to the threshold, and the higher rates for all of it above", () => {
    expect(cost({ inputTokens: 200_000, outputTokens: 1000 })).toBe(600 + 15);
    expect(cost({ inputTokens: 200_001, outputTokens: 1000 })).toBe(Math.ceil(1200.006 + 22.5));
  });

  test("the higher rate of each part", () => {
    const usage = {
      inputTokens: 600_000,
      cachedInputTokens: 100_000,
      cacheWriteTokens: 200_000,
      outputTokens: 3000,
      reasoningTokens: 1000,
    };
    expect(cost(usage)).toBe(300 * 6 + 60 + 1500 + 45 + 30);
  });

  test("the long rates of input and output for parts without a long rate of their own", () => {
    const { input_per_million, output_per_million, above_tokens } = long;
    const few = { above_tokens, input_per_million, output_per_million };
    const plain = { input_per_million: 3000, output_per_million: 15_000 };
    const other = modelFrom({ type: "text", price: { ...plain, long_input: few } });
    const usage = { ...NOTHING, inputTokens: 300_000, cachedInputTokens: 300_000, outputTokens: 1000 };
    expect(textCost({ model: other, n: 1, usage }) as number).toBe(1800 + 23);
  });
});

test("a cost is at least the price per request for each answer, and never falls when a count grows", () => {
  const rate = fc.integer({ min: 0, max: 10_000_000 }).map((tenths) => tenths / 10);
  const tokens = fc.integer({ min: 0, max: 5_000_000 });
  const part = fc.record({
    plain: tokens,
    cached: tokens,
    write: tokens,
    visible: tokens,
    reasoning: tokens,
  });
  const usageOf = (parts: typeof part extends fc.Arbitrary<infer T> ? T : never): Usage => ({
    inputTokens: parts.plain + parts.cached + parts.write,
    cachedInputTokens: parts.cached,
    cacheWriteTokens: parts.write,
    outputTokens: parts.visible + parts.reasoning,
    reasoningTokens: parts.reasoning,
  });
  fc.assert(
    fc.property(
      fc.tuple(rate, rate, rate, rate),
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 127 }),
      part,
      part,
      ([input, output, write, reasoning], perRequest, n, parts, more) => {
        const model = modelFrom({
          type: "text",
          credits_per_request: perRequest,
          price: {
            input_per_million: input,
            cached_input_per_million: Math.floor(input / 2),
            cache_write_per_million: write,
            output_per_million: output,
            reasoning_per_million: reasoning,
            long_input: {
              above_tokens: 5_000_000,
              input_per_million: input,
              cached_input_per_million: input,
              cache_write_per_million: Math.min(1_000_000, write * 2),
              output_per_million: output,
              reasoning_per_million: reasoning,
            },
          },
        });
        const base = textCost({ model, usage: usageOf(parts), n });
        expect(base).toBeGreaterThanOrEqual(perRequest * n);
        expect(textCost({ model, usage: usageOf(parts), n: n + 1 })).toBeGreaterThanOrEqual(base);
        for (const name of Object.keys(parts) as (keyof typeof parts)[]) {
          const grown = { ...parts, [name]: parts[name] + more[name] };
          expect(textCost({ model, usage: usageOf(grown), n })).toBeGreaterThanOrEqual(base);
        }
      },
    ),
  );
});

describe("textCost", () => {
  const rate = fc.oneof(
    fc.integer({ min: 1, max: 1_000_000 }),
    fc.constantFrom(0.000001, 0.15, 999_999.999999),
  );
  const tokens = fc.oneof(fc.nat({ max: 2_000_000 }), fc.nat({ max: 100_000_000 }));

  test("equals the exact BigInt computation for all rates and counts", () => {
    fc.assert(
      fc.property(rate, rate, rate, tokens, tokens, (input, output, reasoning, inputTokens, outputTokens) => {
        const model = modelFrom({
          type: "text",
          price: {
            input_per_million: input,
            output_per_million: output,
            reasoning_per_million: reasoning,
            audio_input_per_million: output,
          },
          limits: { context_tokens: 100_000_000, max_output_tokens: 100_000_000 },
        });
        const reasoningTokens = Math.floor(outputTokens / 2);
        const audioInputTokens = Math.floor(inputTokens / 3);
        const { price: rates } = model;
        const micros =
          BigInt(inputTokens - audioInputTokens) * rates.input +
          BigInt(audioInputTokens) * rates.output +
          BigInt(outputTokens - reasoningTokens) * rates.output +
          BigInt(reasoningTokens) * rates.reasoning;
        const exact = Number((micros + 999_999_999_999n) / 1_000_000_000_000n);
        const usage = { ...NOTHING, inputTokens, audioInputTokens, outputTokens, reasoningTokens };
        const cost: number = textCost({ model, usage, n: 1 });
        expect(cost).toBe(Math.max(exact, model.creditsPerRequest));
      }),
      { numRuns: 1_000 },
    );
  });
});
