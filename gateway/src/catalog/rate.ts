import { assert } from "../kit/index.ts";

declare const rateBrand: unique symbol;

/**
 * A price in millionths of a credit per unit of measure (a million tokens, an image, a second …). Exact, never
 * negative.
 */
export type Rate = bigint & { readonly [rateBrand]: true };

/** At the default value of a credit this is a thousand dollars; a higher price per unit must be a typo. */
export const MAX_RATE_CREDITS = 1_000_000;

/** Micro-credits in a credit: the six decimals that a price may be written with. */
export const MICROS = 1_000_000n;

export const ZERO_RATE = 0n as Rate;

/**
 * The shortest text of a double is the number as it was written, so its decimals are read from that, without rounding.
 */
const SIX_DECIMALS = /^(\d+)(?:\.(\d{1,6}))?$/;

/**
 * Undefined for anything that is not a price: negative, NaN, infinite, above the bound, or with more than six decimals.
 */
export function parseRate(written: number): Rate | undefined {
  if (!(written >= 0 && written <= MAX_RATE_CREDITS)) return undefined;
  const match = SIX_DECIMALS.exec(String(written));
  if (!match) return undefined;
  const [, whole = "0", decimals = ""] = match;
  return (BigInt(whole) * MICROS + BigInt(decimals.padEnd(6, "0"))) as Rate;
}

/** Converts to credits, for display: one correctly rounded division gives back the number that was written. */
export function rateCredits(rate: Rate): number {
  return Number(rate) / Number(MICROS);
}

export function higherRate(a: Rate, b: Rate): Rate {
  return a > b ? a : b;
}

/** The only rounding in a price. */
export function ceilDivide(amount: bigint, divisor: bigint): bigint {
  assert(amount >= 0n && divisor > 0n, "prices are never negative");
  return (amount + divisor - 1n) / divisor;
}
