import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { credits } from "../kit/index.ts";
import { MAX_CHOICES, textCost } from "./cost.ts";
import { inputBoundTokens as boundOf, textQuote as quoteOf, outputTokensFor as tokensFor } from "./quote.ts";
import { modelFrom } from "./testing.ts";

const price = { input_per_million: 1000, output_per_million: 4000 };

type Bounds = Parameters<typeof quoteOf>[0];
type Grant = Parameters<typeof tokensFor>[0];
type Prompt = Parameters<typeof boundOf>[0];
type Unsaid<Input, Names extends keyof Input> = Omit<Input, Names> & Partial<Pick<Input, Names>>;

/** For text only, and for a model whose reasoning stays within its limit, unless a test says otherwise. */
const textQuote = (bounds: Unsaid<Bounds, "audioBoundTokens" | "thoughtTokens">) =>
  quoteOf({ audioBoundTokens: 0, thoughtTokens: 0, ...bounds });
const outputTokensFor = (grant: Unsaid<Grant, "audioBoundTokens">) =>
  tokensFor({ audioBoundTokens: 0, ...grant });
const inputBoundTokens = (prompt: Unsaid<Prompt, "images" | "files">) =>
  boundOf({ images: 0, files: 0, ...prompt });

describe("a quote", () => {
  const model = modelFrom({ type: "text", price });
  const quote = (maxOutputTokens: number | null, n = 1) => {
    const { minimum, full } = textQuote({ model, inputBoundTokens: 1000, maxOutputTokens, n });
    return [minimum, full] as number[];
  };

  test("without a limit covers at least 256 output tokens and at most the model's limit", () => {
    expect(quote(null)).toEqual([Math.ceil(1 + 1.024), Math.ceil(1 + 32.768)]);
  });

  test("without a limit has a minimum of exactly 256 output tokens", () => {
    const byToken = modelFrom({
      type: "text",
      price: { input_per_million: 0, output_per_million: 1_000_000 },
      limits: { context_tokens: 1000, max_output_tokens: 1000 },
    });
    const { minimum } = textQuote({ model: byToken, inputBoundTokens: 0, maxOutputTokens: null, n: 1 });
    expect(Number(minimum)).toBe(256);
  });

  test("with a limit that may be lowered has a minimum of 1,024 output tokens, or of the limit if that is less", () => {
    const byToken = modelFrom({
      type: "text",
      price: { input_per_million: 0, output_per_million: 1_000_000 },
      limits: { context_tokens: 4000, max_output_tokens: 4000 },
    });
    const quote = (maxOutputTokens: number, lowersLimit: boolean) => {
      const bounds = { model: byToken, inputBoundTokens: 0, maxOutputTokens, lowersLimit, n: 1 };
      const { minimum, full, sharesBalance } = textQuote(bounds);
      return [Number(minimum), Number(full), sharesBalance];
    };
    expect(quote(3000, true)).toEqual([1024, 3000, false]);
    expect(quote(1000, true)).toEqual([1000, 1000, false]);
    expect(quote(3000, false)).toEqual([3000, 3000, false]);
  });

  test("with a limit covers exactly that limit, both at least and at most", () => {
    expect(quote(1000)).toEqual([5, 5]);
  });

  test("covers reasoning beyond any limit in its full amount, but not in its minimum", () => {
    const bounds = { model, inputBoundTokens: 1000, n: 1, thoughtTokens: 500 };
    expect(textQuote({ ...bounds, maxOutputTokens: 1000 }).full as number).toBe(1 + 4 + 2);
    const { minimum, full } = textQuote({ ...bounds, maxOutputTokens: null });
    expect([minimum, full] as number[]).toEqual([Math.ceil(1 + 1.024), Math.ceil(1 + 32.768 + 2)]);
  });

  test("covers the output of each answer, and the input once", () => {
    expect(quote(1000, 3)).toEqual([13, 13]);
  });

  test("of a model whose limit is below 256 tokens covers that whole limit", () => {
    const small = modelFrom({
      type: "text",
      price,
      limits: { context_tokens: 1000, max_output_tokens: 100 },
    });
    const { minimum, full } = textQuote({ model: small, inputBoundTokens: 0, maxOutputTokens: null, n: 1 });
    expect(minimum).toBe(full);
  });

  test("uses the higher rate of input and cache writes, and of output and reasoning", () => {
    const costly = modelFrom({
      type: "text",
      price: { ...price, cache_write_per_million: 2000, reasoning_per_million: 8000 },
    });
    const { full } = textQuote({ model: costly, inputBoundTokens: 1000, maxOutputTokens: 1000, n: 1 });
    expect(full as number).toBe(10);
  });

  test("uses the rates of long input once the input bound exceeds their threshold", () => {
    const long_input = { above_tokens: 1000, input_per_million: 2000, output_per_million: 6000 };
    const costly = modelFrom({ type: "text", price: { ...price, long_input } });
    const full = (inputBoundTokens: number) =>
      textQuote({ model: costly, inputBoundTokens, maxOutputTokens: 1000, n: 1 }).full as number;
    expect([full(1000), full(1001)]).toEqual([5, 9]);
    const tokens = (inputBoundTokens: number) =>
      outputTokensFor({ model: costly, inputBoundTokens, n: 1, granted: credits(9) });
    expect([tokens(1000), tokens(1001)]).toEqual([2000, 1166]);
  });

  test("uses the higher rate of input and audio only for tokens that may be audio", () => {
    const bounds = { inputBoundTokens: 3000, audioBoundTokens: 1000, maxOutputTokens: 1000, n: 1 };
    const full = (audio_input_per_million: number) =>
      textQuote({
        model: modelFrom({ type: "text", price: { ...price, audio_input_per_million } }),
        ...bounds,
      }).full as number;
    expect([full(5000), full(500)]).toEqual([2 + 5 + 4, 3 + 4]);
    const spoken = modelFrom({ type: "text", price: { ...price, audio_input_per_million: 5000 } });
    const silent = { ...bounds, audioBoundTokens: 0 };
    expect(textQuote({ model: spoken, ...silent }).full as number).toBe(3 + 4);
    expect(outputTokensFor({ model: spoken, ...bounds, granted: credits(9) })).toBe(500);
  });

  test("is exact for amounts beyond safe integers", () => {
    const dear = modelFrom({
      type: "text",
      price: {
        input_per_million: 500_000,
        audio_input_per_million: 1_000_000,
        output_per_million: 1_000_000,
      },
    });
    const bounds = { model: dear, inputBoundTokens: 20_001, audioBoundTokens: 8_000, n: 2 };
    const input = Math.ceil(12_001 / 2) + 8_000;
    expect(textQuote({ ...bounds, maxOutputTokens: 1000 }).full as number).toBe(input + 2_000);
    expect(outputTokensFor({ ...bounds, granted: credits(input + 2_000) })).toBe(1_000);
    expect(outputTokensFor({ ...bounds, granted: credits(input + 1_999) })).toBe(999);
  });

  test("of a model with a flat price is that price for each answer", () => {
    const flat = modelFrom({ type: "text", credits_per_request: 1 });
    expect(textQuote({ model: flat, inputBoundTokens: 99_999, maxOutputTokens: null, n: 2 })).toEqual({
      minimum: credits(2),
      full: credits(2),
      sharesBalance: true,
    });
    expect(outputTokensFor({ model: flat, inputBoundTokens: 99_999, n: 2, granted: credits(2) })).toBe(8192);
    expect(outputTokensFor({ model: flat, inputBoundTokens: 99_999, n: 2, granted: credits(1) })).toBe(0);
  });

  test("throws for a limit above the model's, and for a number of answers outside 1 to 128", () => {
    expect(() => quote(8193)).toThrow();
    expect(() => quote(1, 0)).toThrow();
    expect(() => quote(1, 129)).toThrow();
    expect(() => quote(1, 1.5)).toThrow();
    expect(quote(1, 128)).toEqual([128, 128]);
  });
});

describe("the input bound", () => {
  const model = modelFrom({
    type: "text",
    limits: { context_tokens: 1000, max_output_tokens: 10, tokens_per_image: 700, tokens_per_file: 5000 },
  });

  test("is 1.2 × the estimate, plus 16 per message and the catalog's figure per image and file", () => {
    const bound = inputBoundTokens({ model, estimateTokens: 101, messages: 3, images: 2, files: 1 });
    expect(bound).toBe(122 + 48 + 1400 + 5000);
  });

  test("of text alone is exactly 1.2 × the estimate, rounded up", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (estimateTokens) => {
        const bound = inputBoundTokens({ model, estimateTokens, messages: 0 });
        expect(bound).toBe(Number((BigInt(estimateTokens) * 6n + 4n) / 5n));
      }),
    );
  });

  test("rounds a fractional estimate up before raising it", () => {
    expect(inputBoundTokens({ model, estimateTokens: 100.2, messages: 0 })).toBe(122);
  });

  test("throws for images or files of a model that takes none, and accepts 0 of them", () => {
    const blind = modelFrom({ type: "text" });
    expect(() => inputBoundTokens({ model: blind, estimateTokens: 1, messages: 1, images: 1 })).toThrow();
    expect(() => inputBoundTokens({ model: blind, estimateTokens: 1, messages: 1, files: 1 })).toThrow();
    expect(inputBoundTokens({ model: blind, estimateTokens: 5, messages: 0, images: 0, files: 0 })).toBe(6);
  });
});

const rate = fc.integer({ min: 0, max: 10_000_000 }).map((tenths) => tenths / 10);

function higherRates(made: {
  input: number;
  write: number;
  output: number;
  reasoning: number;
  audio: number;
  longAbove: number;
}) {
  const twice = (rate: number) => Math.min(1_000_000, rate * 2);
  return {
    above_tokens: made.longAbove * 1000,
    input_per_million: twice(made.input),
    cached_input_per_million: made.input,
    cache_write_per_million: twice(made.write),
    output_per_million: made.output,
    reasoning_per_million: twice(made.reasoning),
    audio_input_per_million: twice(made.audio),
  };
}

const priced = fc
  .record({
    perRequest: fc.integer({ min: 0, max: 500 }),
    input: rate,
    write: rate,
    output: rate,
    reasoning: rate,
    audio: rate,
    limit: fc.integer({ min: 1, max: 200_000 }),
    /** Where the higher rates begin, in thousands of tokens; 0 for no higher rates. */
    longAbove: fc.integer({ min: 0, max: 2000 }),
  })
  .map((made) =>
    modelFrom({
      type: "text",
      credits_per_request: made.perRequest,
      price: {
        input_per_million: made.input,
        cached_input_per_million: Math.floor(made.input / 10),
        cache_write_per_million: made.write,
        output_per_million: made.output,
        reasoning_per_million: made.reasoning,
        audio_input_per_million: made.audio,
        ...(made.longAbove === 0 ? {} : { long_input: higherRates(made) }),
      },
      limits: { context_tokens: 2_000_000, max_output_tokens: made.limit },
    }),
  );

const choices = fc.integer({ min: 1, max: MAX_CHOICES });
const bound = fc.integer({ min: 0, max: 2_000_000 });
/** Thousandths of a bound. */
const share = fc.integer({ min: 0, max: 1000 });
const portion = (whole: number, thousandths: number) => Math.floor((whole * thousandths) / 1000);

test("usage within the bounds of its quote never costs more than the quote", () => {
  fc.assert(
    fc.property(
      priced,
      bound,
      choices,
      fc.tuple(share, share, share, share, share, share, share),
      (
        model,
        inputBound,
        n,
        [limitShare, inShare, cacheShare, writeShare, outShare, reasonShare, audioShare],
      ) => {
        const maxOutputTokens = Math.max(1, portion(model.limits.maxOutputTokens, limitShare));
        const audioBoundTokens = portion(inputBound, audioShare);
        const bounds = { inputBoundTokens: inputBound, audioBoundTokens };
        const { full } = textQuote({ model, ...bounds, maxOutputTokens, n });
        const inputTokens = portion(inputBound, inShare);
        const cachedInputTokens = portion(inputTokens, cacheShare);
        const cacheWriteTokens = portion(inputTokens - cachedInputTokens, writeShare);
        const outputTokens = portion(maxOutputTokens * n, outShare);
        const reasoningTokens = portion(outputTokens, reasonShare);
        const plain = inputTokens - cachedInputTokens - cacheWriteTokens;
        const usage = {
          ...{ inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens },
          audioInputTokens: Math.min(plain, audioBoundTokens),
        };
        expect(textCost({ model, usage, n })).toBeLessThanOrEqual(full);
      },
    ),
    { numRuns: 500 },
  );
});

test("a quote never falls when input, output limit or answers grow; its minimum is at most its full amount", () => {
  fc.assert(
    fc.property(priced, bound, fc.integer({ min: 1, max: MAX_CHOICES - 1 }), share, (model, input, n, at) => {
      const limit = model.limits.maxOutputTokens;
      const maxOutputTokens = Math.max(1, portion(limit, at));
      const base = textQuote({ model, inputBoundTokens: input, maxOutputTokens, n }).full;
      const grown = [
        { inputBoundTokens: input + 1, maxOutputTokens, n },
        { inputBoundTokens: input, maxOutputTokens: Math.min(limit, maxOutputTokens + 1), n },
        { inputBoundTokens: input, maxOutputTokens, n: n + 1 },
      ];
      for (const bounds of grown) expect(textQuote({ model, ...bounds }).full).toBeGreaterThanOrEqual(base);
      const open = textQuote({ model, inputBoundTokens: input, maxOutputTokens: null, n });
      expect(open.minimum).toBeLessThanOrEqual(open.full);
    }),
  );
});

test("outputTokensFor returns the largest output limit that a grant pays for", () => {
  fc.assert(
    fc.property(priced, bound, choices, share, fc.nat(3), (model, input, n, at, extra) => {
      const limit = model.limits.maxOutputTokens;
      const quote = (maxOutputTokens: number) =>
        textQuote({ model, inputBoundTokens: input, maxOutputTokens, n }).full as number;
      const granted = credits(quote(Math.max(1, portion(limit, at))) + extra);
      const affordable = outputTokensFor({ model, inputBoundTokens: input, n, granted });
      expect(affordable).toBeGreaterThanOrEqual(1);
      expect(affordable).toBeLessThanOrEqual(limit);
      expect(quote(affordable)).toBeLessThanOrEqual(granted);
      if (affordable < limit) expect(quote(affordable + 1)).toBeGreaterThan(granted);
    }),
    { numRuns: 500 },
  );
});

test("a grant of at least the minimum pays for 256 output tokens, or the model's limit if that is less", () => {
  fc.assert(
    fc.property(priced, bound, choices, fc.nat(1_000_000), (model, inputBound, n, extra) => {
      const { minimum, full } = textQuote({ model, inputBoundTokens: inputBound, maxOutputTokens: null, n });
      const granted = credits(Math.min(full, minimum + extra));
      const affordable = outputTokensFor({ model, inputBoundTokens: inputBound, n, granted });
      expect(affordable).toBeGreaterThanOrEqual(Math.min(256, model.limits.maxOutputTokens));
      if (granted === full) expect(affordable).toBe(model.limits.maxOutputTokens);
    }),
  );
});

test("a model that takes images or files has a token bound for one of them, configured or by default", () => {
  const bounds = (change: Record<string, unknown>) => {
    const { tokensPerImage, tokensPerFile } = modelFrom({ type: "text", ...change }).limits;
    return [tokensPerImage, tokensPerFile];
  };
  const capabilities = ["images", "files"];
  const limits = { context_tokens: 30_000, max_output_tokens: 100 };
  expect(bounds({ limits })).toEqual([null, null]);
  expect(bounds({ limits, capabilities })).toEqual([16_000, 15_000]);
  expect(bounds({ limits: { ...limits, context_tokens: 1_000_000 }, capabilities })).toEqual([
    16_000, 250_000,
  ]);
  const stated = { ...limits, tokens_per_image: 0, tokens_per_file: 7 };
  expect(bounds({ limits: stated, capabilities })).toEqual([0, 7]);
});
