import type { PricedTokens, TextModel, TextPrice } from "./model.ts";
import { dearer, type Rate, ZERO_RATE } from "./rate.ts";
import type { TextRatesEntry } from "./text-price-schema.ts";

/** The rates of a call with this much input: long input makes all of it dearer, at some providers. */
export function ratesFor(model: TextModel, inputTokens: number): PricedTokens {
  const { longInput } = model;
  return longInput !== null && inputTokens > longInput.aboveTokens ? longInput : model;
}

/** Of a model whose tokens are not priced: its calls cost what a request does. */
const NO_PRICE: TextPrice = Object.freeze({
  input: ZERO_RATE,
  cachedInput: ZERO_RATE,
  cacheWrite: ZERO_RATE,
  audioInput: ZERO_RATE,
  output: ZERO_RATE,
  reasoning: ZERO_RATE,
});

export function pricedTokens(entry: TextRatesEntry | undefined): PricedTokens {
  const price = entry === undefined ? NO_PRICE : priceOf(entry);
  const safePrice = Object.freeze({
    input: Number(price.input),
    cachedInput: Number(price.cachedInput),
    cacheWrite: Number(price.cacheWrite),
    audioInput: Number(price.audioInput),
    output: Number(price.output),
    reasoning: Number(price.reasoning),
    dearestInput: Number(dearestInput(price)),
    dearestAudio: Number(dearestAudio(price)),
    dearestOutput: Number(dearestOutput(price)),
  });
  return { price, safePrice };
}

/** What the catalog leaves out has its default already, but for what is spoken. */
function priceOf(entry: TextRatesEntry): TextPrice {
  return Object.freeze({
    input: entry.input_per_million,
    cachedInput: entry.cached_input_per_million,
    cacheWrite: entry.cache_write_per_million,
    audioInput: entry.audio_input_per_million ?? entry.input_per_million,
    output: entry.output_per_million,
    reasoning: entry.reasoning_per_million,
  });
}

/** Cached input is never dearer than input: the catalog refuses such a price. */
export function dearestInput({ input, cacheWrite }: TextPrice): Rate {
  return dearer(input, cacheWrite);
}

/** Of input that may be spoken. */
export function dearestAudio(price: TextPrice): Rate {
  return dearer(dearestInput(price), price.audioInput);
}

export function dearestOutput({ output, reasoning }: TextPrice): Rate {
  return dearer(output, reasoning);
}
