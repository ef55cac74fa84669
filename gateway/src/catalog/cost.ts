import { assert, type Credits, credits } from "../kit/index.ts";
import type { TextModel, TextPrice } from "./model.ts";
import { ceilDivide, MICROS } from "./rate.ts";
import { ratesFor } from "./text-price.ts";

/**
 * Tokens of a call. Cached, cache-write and audio tokens are disjoint parts of the input. Reasoning tokens are part of
 * the output.
 */
export type Usage = {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly audioInputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Parts of the output without a price of their own: only shown, as the provider reported them. */
  readonly unpriced?: Readonly<Record<"audio" | "acceptedPrediction" | "rejectedPrediction", number>>;
};

/** The most answers (`n`) per call that the OpenAI-compatible interface allows. */
export const MAX_CHOICES = 128;

/** Rates are micro-credits per million tokens. */
export const TOKEN_DIVISOR = MICROS * 1_000_000n;

/** Cost of a text call: the price per request for each answer, or that of its tokens if that is more. */
export function textCost(input: {
  readonly model: TextModel;
  readonly usage: Usage;
  readonly n: number;
}): Credits {
  const { model, usage, n } = input;
  return atLeastPerRequest(model, n, tokenCredits(ratesFor(model, usage.inputTokens), usage));
}

function tokenCredits(price: TextPrice, usage: Usage): bigint {
  const { audioInputTokens = 0 } = usage;
  const written = usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens - audioInputTokens;
  const visible = usage.outputTokens - usage.reasoningTokens;
  const micros =
    count(written) * price.input +
    count(audioInputTokens) * price.audioInput +
    count(usage.cachedInputTokens) * price.cachedInput +
    count(usage.cacheWriteTokens) * price.cacheWrite +
    count(visible) * price.output +
    count(usage.reasoningTokens) * price.reasoning;
  return ceilDivide(micros, TOKEN_DIVISOR);
}

/**
 * What the provider's cache saved of the price of the input, in micro-credits: less than nothing if writing cost more
 * than reading saved.
 */
export function cacheSaved(model: TextModel, usage: Usage): number {
  const { input, cachedInput, cacheWrite } = ratesFor(model, usage.inputTokens);
  const saved = count(usage.cachedInputTokens) * (input - cachedInput);
  return Number((saved - count(usage.cacheWriteTokens) * (cacheWrite - input)) / (TOKEN_DIVISOR / MICROS));
}

/** `max(credits_per_request × units, metered)`, the last step of every price. */
export function atLeastPerRequest(
  model: { readonly creditsPerRequest: Credits },
  units: number,
  metered: bigint,
): Credits {
  const flat = model.creditsPerRequest * units;
  return credits(Math.max(flat, Number(metered)));
}

/** Everything measured (tokens, characters, milliseconds, images) is a whole number and not negative. */
export function count(measured: number): bigint {
  assert(Number.isSafeInteger(measured) && measured >= 0, "not a count");
  return BigInt(measured);
}
