import type { PricedTokens, TextModel, TextPrice } from "./model.ts";
import { dearer, ZERO_RATE } from "./rate.ts";
import type { TextRatesEntry } from "./text-price-schema.ts";

/** The rates of a call with this much input: long input makes all of it dearer, at some providers. */
export function ratesFor(model: TextModel, inputTokens: number): PricedTokens {
  const { longInput } = model;
  return longInput !== null && inputTokens > longInput.aboveTokens ? longInput : model;
}

export function pricedTokens(entry: TextRatesEntry | undefined): PricedTokens {
  const price: TextPrice = Object.freeze({
    input: entry?.input_per_million ?? ZERO_RATE,
    cachedInput: entry?.cached_input_per_million ?? ZERO_RATE,
    cacheWrite: entry?.cache_write_per_million ?? ZERO_RATE,
    output: entry?.output_per_million ?? ZERO_RATE,
    reasoning: entry?.reasoning_per_million ?? ZERO_RATE,
  });
  const safePrice = Object.freeze({
    input: Number(price.input),
    cachedInput: Number(price.cachedInput),
    cacheWrite: Number(price.cacheWrite),
    output: Number(price.output),
    reasoning: Number(price.reasoning),
    dearestInput: Number(dearer(price.input, price.cacheWrite)),
    dearestOutput: Number(dearer(price.output, price.reasoning)),
  });
  return { price, safePrice };
}
