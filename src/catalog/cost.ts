import { assert, type Credits, credits } from "../kit/index.ts";
import type { PricedTokens, TextModel } from "./model.ts";
import { ceilDivide, ceilDivideSafe, MICROS } from "./rate.ts";
import { ratesFor } from "./text-price.ts";

/**
 * Tokens of a call. Cached, cache-write and audio tokens are parts of the input that do not overlap. Reasoning tokens
 * are part of the output.
 */
export type Usage = {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly audioInputTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
};

/** The most answers (`n`) to one call that the compatible interface allows. */
export const MAX_CHOICES = 128;

/** Rates are micro-credits per million tokens. */
export const TOKEN_DIVISOR = MICROS * 1_000_000n;

export const SAFE_DIVISOR = Number(TOKEN_DIVISOR);

/**
 * What a text call costs: the price per request for each answer, or its tokens if they come to more.
 * Rate × tokens leaves the safe integers at a million tokens of a dear model: then it is added up again in BigInt.
 */
export function textCost(input: {
  readonly model: TextModel;
  readonly usage: Usage;
  readonly n: number;
}): Credits {
  const { model, usage, n } = input;
  const rates = ratesFor(model, usage.inputTokens);
  return atLeastPerRequest(model, n, safeTokenCredits(rates, usage) ?? exactTokenCredits(rates, usage));
}

function safeTokenCredits({ safePrice }: PricedTokens, usage: Usage): number | null {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const { audioInputTokens = 0 } = usage;
  const micros =
    counted(inputTokens - cachedInputTokens - cacheWriteTokens - audioInputTokens) * safePrice.input +
    counted(audioInputTokens) * safePrice.audioInput +
    counted(cachedInputTokens) * safePrice.cachedInput +
    counted(cacheWriteTokens) * safePrice.cacheWrite +
    counted(outputTokens - reasoningTokens) * safePrice.output +
    counted(reasoningTokens) * safePrice.reasoning;
  return ceilDivideSafe(micros, SAFE_DIVISOR);
}

function exactTokenCredits({ price }: PricedTokens, usage: Usage): bigint {
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

/** `max(credits_per_request × units, metered)`, the last step of every price. */
export function atLeastPerRequest(
  model: { readonly creditsPerRequest: Credits },
  units: number,
  metered: bigint | number,
): Credits {
  const flat = model.creditsPerRequest * units;
  return credits(Math.max(flat, Number(metered)));
}

/** What is measured (tokens, characters, milliseconds, images) comes in whole, never negative numbers. */
export function count(measured: number): bigint {
  return BigInt(counted(measured));
}

export function counted(measured: number): number {
  assert(Number.isSafeInteger(measured) && measured >= 0, "not a count");
  return measured;
}
