import { assert, type Credits, credits } from "../kit/index.ts";
import type { PricedTokens, TextModel } from "./model.ts";
import { ceilDivide, ceilDivideSafe, MICROS } from "./rate.ts";
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

export const SAFE_DIVISOR = Number(TOKEN_DIVISOR);

/**
 * Cost of a text call: the price per request for each answer, or that of its tokens if that is more. With an expensive
 * model, rate × tokens exceeds the safe integers at about a million tokens; the sum is then repeated in BigInt.
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

/** Everything measured (tokens, characters, milliseconds, images) is a whole number and not negative. */
export function count(measured: number): bigint {
  return BigInt(counted(measured));
}

export function counted(measured: number): number {
  assert(Number.isSafeInteger(measured) && measured >= 0, "not a count");
  return measured;
}
