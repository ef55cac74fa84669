import type { PricedTokens, TextModel, TextPrice } from "./model.ts";
import { dearer, type Rate, ZERO_RATE } from "./rate.ts";
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
    audioInput: entry?.audio_input_per_million ?? entry?.input_per_million ?? ZERO_RATE,
    output: entry?.output_per_million ?? ZERO_RATE,
    reasoning: entry?.reasoning_per_million ?? ZERO_RATE,
  });
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
