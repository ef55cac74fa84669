import fc from "fast-check";
import {
  type MusicModel,
  measuredText,
  pricedImages,
  pricedMusic,
  pricedSpeech,
  pricedVideo,
  type SpeechModel,
  textCost,
  type Usage,
} from "../gateway/src/catalog/index.ts";
import { modelFrom } from "../gateway/src/catalog/testing.ts";
import { type Credits, credits } from "../gateway/src/kit/index.ts";
import { RESOLUTION_TIERS } from "../gateway/src/media/index.ts";

/**
 * A call of any kind by any price rule, priced as the gateway prices it. For properties of prices, such as that a
 * receipt can be recomputed (`receipt-cost.ts`).
 */
export type PricedCall = {
  readonly rule: { readonly id: string; readonly json: string };
  readonly cost: Credits;
  readonly measured: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

const MOST_RATE_MICROS = 1_000_000 * 1e6;

/** Many small rates and some large ones, with six decimals. */
const rates = fc
  .oneof(fc.constant(0), fc.integer({ min: 1, max: 5e10 }), fc.integer({ min: 1, max: MOST_RATE_MICROS }))
  .map((micros) => micros / 1e6);
const perRequest = fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 5_000 }));
const TOKENS = { context_tokens: 100_000_000, max_output_tokens: 100_000_000 };

/**
 * Splits off parts that never exceed the whole: each share is the thousandths of what the parts before it have left.
 */
function partsOf(whole: number, shares: readonly number[]): number[] {
  let left = whole;
  return shares.map((share) => {
    const part = Math.floor((left * share) / 1_000);
    left -= part;
    return part;
  });
}

const counts = fc.oneof(fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: 99_999_999 }));
const share = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000 }));

const usages: fc.Arbitrary<Usage> = fc
  .record({ input: counts, output: counts, shares: fc.tuple(share, share, share, share) })
  .map(({ input, output, shares: [ofCached, ofWritten, ofSpoken, ofThought] }) => {
    const [cached = 0, written = 0, spoken = 0] = partsOf(input, [ofCached, ofWritten, ofSpoken]);
    const [thought = 0] = partsOf(output, [ofThought]);
    return {
      inputTokens: input,
      cachedInputTokens: cached,
      cacheWriteTokens: written,
      ...(spoken === 0 ? {} : { audioInputTokens: spoken }),
      outputTokens: output,
      reasoningTokens: thought,
    };
  });

const textPrices = fc
  .record({
    input: rates,
    output: rates,
    ofCached: fc.option(fc.constantFrom(0, 0.1, 0.5, 1)),
    written: fc.option(rates),
    reasoning: fc.option(rates),
    spoken: fc.option(rates),
    longAbove: fc.option(fc.integer({ min: 1, max: 60_000 })),
  })
  .map(({ input, output, ofCached, written, reasoning, spoken, longAbove }) => {
    const terms = {
      input_per_million: input,
      output_per_million: output,
      ...(ofCached === null ? {} : { cached_input_per_million: Math.floor(input * ofCached) }),
      ...(written === null ? {} : { cache_write_per_million: written }),
      ...(reasoning === null ? {} : { reasoning_per_million: reasoning }),
      ...(spoken === null ? {} : { audio_input_per_million: spoken }),
    };
    if (longAbove === null) return terms;
    const dearer = Object.entries(terms).map(([name, rate]) => [name, Math.min(Math.ceil(rate * 2), 1e6)]);
    return { ...terms, long_input: { above_tokens: longAbove, ...Object.fromEntries(dearer) } };
  });

const text: fc.Arbitrary<PricedCall> = fc
  .record({
    price: fc.option(textPrices, { nil: undefined }),
    least: perRequest,
    usage: usages,
    n: answers(),
  })
  .map(({ price, least, usage, n }) => {
    const model = modelFrom({ type: "text", price, credits_per_request: least, limits: TOKENS });
    const { inputTokens, outputTokens } = usage;
    const call = { model, usage, n };
    return {
      rule: model.priceRule,
      cost: textCost(call),
      measured: measuredText(call),
      inputTokens,
      outputTokens,
    };
  });

function answers(): fc.Arbitrary<number> {
  return fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 128 }));
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 } as const;
const perTier = fc.record({ "1k": rates, "2k": rates, "4k": rates }, { requiredKeys: [] }) as fc.Arbitrary<
  Record<string, number>
>;

const image: fc.Arbitrary<PricedCall> = fc
  .record({
    least: perRequest,
    units: fc.tuple(...RESOLUTION_TIERS.map(() => fc.integer({ min: 1, max: 9 }))),
    square: perTier,
    oblong: fc.option(perTier, { nil: undefined }),
    made: fc.array(
      fc.record({ tier: fc.constantFrom(...RESOLUTION_TIERS), n: fc.integer({ min: 1, max: 5 }) }),
      {
        minLength: 1,
        maxLength: 10,
      },
    ),
    aspectRatio: fc.constantFrom("1:1", "16:9", "2:2"),
  })
  .map(({ least, units, square, oblong, made, aspectRatio }) => {
    const price = {
      units: Object.fromEntries(RESOLUTION_TIERS.map((tier, at) => [tier, units[at]])),
      per_image: square,
      ...(oblong === undefined ? {} : { per_oblong_image: oblong }),
    };
    const limits = { aspect_ratios: ["1:1", "16:9", "2:2"] };
    const model = modelFrom({ type: "image", credits_per_request: least, price, limits });
    return { rule: model.priceRule, ...pricedImages({ model, made, aspectRatio }), ...NO_TOKENS };
  });

const lengths = fc.integer({ min: 0, max: 3_600_000 });
const ANY_LENGTH = { min: 0.1, max: 3_600, default: 4 };

const video: fc.Arbitrary<PricedCall> = fc
  .record({
    least: perRequest,
    perSecond: fc.record({ "480p": rates, "720p": rates, "4k": rates }),
    soundPoints: fc.integer({ min: 1, max: 100_000 }),
    draftPoints: fc.integer({ min: 1, max: 100_000 }),
    durationMs: lengths,
    resolution: fc.constantFrom("480p", "720p", "4k"),
    sound: fc.boolean(),
    draft: fc.boolean(),
    atMost: fc.oneof(fc.constant(Number.MAX_SAFE_INTEGER), fc.integer({ min: 0, max: 1_000_000 })),
  })
  .map(({ least, perSecond, soundPoints, draftPoints, atMost, ...made }) => {
    const model = modelFrom({
      type: "video",
      credits_per_request: least,
      price: { per_second: perSecond, sound_basis_points: soundPoints, draft_basis_points: draftPoints },
      limits: { duration_seconds: ANY_LENGTH, aspect_ratios: ["16:9"] },
    });
    const bound = Math.min(atMost, 1e15);
    return {
      rule: model.priceRule,
      ...pricedVideo({ model, ...made, atMost: credits(bound) }),
      ...NO_TOKENS,
    };
  });

const speech: fc.Arbitrary<PricedCall> = fc
  .record({ least: perRequest, rate: rates, characters: fc.integer({ min: 0, max: 1_000_000 }) })
  .map(({ least, rate, characters }) => {
    const model = modelFrom({
      ...{ type: "audio", audio_kind: "speech", credits_per_request: least },
      price: { per_thousand_characters: rate },
      limits: { max_characters: 1_000_000, voices: ["slt"] },
    }) as SpeechModel;
    return { rule: model.priceRule, ...pricedSpeech({ model, characters }), ...NO_TOKENS };
  });

const music: fc.Arbitrary<PricedCall> = fc
  .record({ least: perRequest, rate: rates, durationMs: lengths })
  .map(({ least, rate, durationMs }) => {
    const model = modelFrom({
      ...{ type: "audio", audio_kind: "music", credits_per_request: least },
      price: { per_second: rate },
      limits: { duration_seconds: ANY_LENGTH, styles: ["jazz"] },
    }) as MusicModel;
    return { rule: model.priceRule, ...pricedMusic({ model, durationMs }), ...NO_TOKENS };
  });

export const pricedCalls: fc.Arbitrary<PricedCall> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: video },
  { weight: 1, arbitrary: speech },
  { weight: 1, arbitrary: music },
);
