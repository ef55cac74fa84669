import { assert, type Credits, credits } from "../kit/index.ts";
import type { TextModel } from "./model.ts";
import { ceilDivide, MICROS } from "./rate.ts";

/** Tokens of a call. Cached and cache-write tokens are part of the input, reasoning tokens part of the output. */
export type Usage = {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
};

/** Answers to one call at most, as the compatible interface allows. */
export const MAX_CHOICES = 128;

/** Rates are micro-credits per million tokens. */
export const TOKEN_DIVISOR = MICROS * 1_000_000n;

/**
 * What a text call costs: the price per request for each answer, or its tokens if they come to more.
 * BigInt throughout: rate × tokens leaves the safe integers at a hundred thousand tokens of a dear model.
 */
export function textCost(input: {
  readonly model: TextModel;
  readonly usage: Usage;
  readonly n: number;
}): Credits {
  const { model, usage, n } = input;
  const uncached = usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens;
  const visible = usage.outputTokens - usage.reasoningTokens;
  const { price } = model;
  const micros =
    count(uncached) * price.input +
    count(usage.cachedInputTokens) * price.cachedInput +
    count(usage.cacheWriteTokens) * price.cacheWrite +
    count(visible) * price.output +
    count(usage.reasoningTokens) * price.reasoning;
  return atLeastPerRequest(model, n, ceilDivide(micros, TOKEN_DIVISOR));
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

/** What is measured (tokens, characters, milliseconds, images) comes in whole, never negative numbers. */
export function count(measured: number): bigint {
  assert(Number.isSafeInteger(measured) && measured >= 0, `not a count: ${measured}`);
  return BigInt(measured);
}
