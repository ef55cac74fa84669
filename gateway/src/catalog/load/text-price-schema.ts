import { z } from "zod";
import type { Rate } from "../rate.ts";
import { rate, wholeNumber } from "./entry-fields.ts";

/** More than any model accepts. */
export const MAX_TOKENS = 100_000_000;

const RATES = {
  input_per_million: rate,
  output_per_million: rate,
  cached_input_per_million: rate.optional(),
  cache_write_per_million: rate.optional(),
  reasoning_per_million: rate.optional(),
  audio_input_per_million: rate.optional(),
};

export type TextRatesEntry = Readonly<
  Record<Exclude<keyof typeof RATES, "audio_input_per_million">, Rate> & {
    audio_input_per_million?: Rate;
  }
>;

type WrittenRates = z.output<z.ZodObject<typeof RATES>>;

// The quote bounds cached input by the input rate: a more expensive cache would break cost ≤ quote.
const isCacheCheap = (price: WrittenRates) =>
  (price.cached_input_per_million ?? 0n) <= price.input_per_million;
const CACHE_ABOVE_INPUT = {
  error: "must not be above input_per_million",
  path: ["cached_input_per_million"],
};

const longInput = z
  .strictObject({ above_tokens: wholeNumber(1, MAX_TOKENS), ...RATES })
  .refine(isCacheCheap, CACHE_ABOVE_INPUT)
  .transform(({ above_tokens, ...rates }) => ({ above_tokens, ...withDefaults(rates) }));

/** Rates of text. `long_input` has the rates for all tokens of calls whose input exceeds its threshold. */
export const textPrice = z
  .strictObject({ ...RATES, long_input: longInput.optional() })
  .refine(isCacheCheap, CACHE_ABOVE_INPUT)
  .transform(({ long_input, ...rates }) => ({
    ...withDefaults(rates),
    ...(long_input === undefined ? {} : { long_input }),
  }))
  .superRefine(({ long_input, ...rates }, check) => {
    if (long_input === undefined) return;
    for (const name of Object.keys({ ...rates, ...long_input })) {
      if (name === "above_tokens" || rateOf(long_input, name) >= rateOf(rates, name)) continue;
      // A cost must not fall as a call grows, or no hold would be sure to cover it.
      const message = "must not be below that of shorter input";
      check.addIssue({ code: "custom", message, path: ["long_input", name] });
    }
  });

/** Audio input costs as much as other input unless it has its own rate. */
function rateOf(rates: TextRatesEntry, name: string): Rate {
  return rates[name as keyof TextRatesEntry] ?? rates.input_per_million;
}

function withDefaults(price: WrittenRates): TextRatesEntry {
  const { audio_input_per_million: audio } = price;
  return {
    input_per_million: price.input_per_million,
    cached_input_per_million: price.cached_input_per_million ?? price.input_per_million,
    cache_write_per_million: price.cache_write_per_million ?? price.input_per_million,
    output_per_million: price.output_per_million,
    reasoning_per_million: price.reasoning_per_million ?? price.output_per_million,
    ...(audio === undefined ? {} : { audio_input_per_million: audio }),
  };
}
