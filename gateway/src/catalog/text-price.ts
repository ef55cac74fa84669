import type { TextRatesEntry } from "./load/text-price-schema.ts";
import type { TextModel, TextPrice } from "./model.ts";
import { higherRate, type Rate, ZERO_RATE } from "./rate.ts";

/** The rates for a call with this much input: some providers charge more for all tokens of a long input. */
export function ratesFor({ price, longInput }: TextModel, inputTokens: number): TextPrice {
  return longInput !== null && inputTokens > longInput.aboveTokens ? longInput.price : price;
}

/** Rates of a model without token prices: its calls cost the price per request. */
const NO_PRICE: TextPrice = Object.freeze({
  input: ZERO_RATE,
  cachedInput: ZERO_RATE,
  cacheWrite: ZERO_RATE,
  audioInput: ZERO_RATE,
  output: ZERO_RATE,
  reasoning: ZERO_RATE,
});

/** The schema has filled in all defaults except that of audio input. */
export function textPrice(entry: TextRatesEntry | undefined): TextPrice {
  if (entry === undefined) return NO_PRICE;
  return Object.freeze({
    input: entry.input_per_million,
    cachedInput: entry.cached_input_per_million,
    cacheWrite: entry.cache_write_per_million,
    audioInput: entry.audio_input_per_million ?? entry.input_per_million,
    output: entry.output_per_million,
    reasoning: entry.reasoning_per_million,
  });
}

/** Cached input never costs more than input: the catalog refuses such a price. */
export function highestInput({ input, cacheWrite }: TextPrice): Rate {
  return higherRate(input, cacheWrite);
}

/** Highest rate of input that may be audio. */
export function highestAudio(price: TextPrice): Rate {
  return higherRate(highestInput(price), price.audioInput);
}

export function highestOutput({ output, reasoning }: TextPrice): Rate {
  return higherRate(output, reasoning);
}
