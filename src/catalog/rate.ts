import { assert } from "../kit/index.ts";

declare const rateBrand: unique symbol;

/** A price in millionths of a credit per unit of measure (million tokens, image, second …). Exact, never negative. */
export type Rate = bigint & { readonly [rateBrand]: true };

/** A unit dearer than a thousand dollars (at the default worth of a credit) is a slip of the pen. */
export const MAX_RATE_CREDITS = 1_000_000;

/** Micro-credits in a credit: the six decimals that a price may be written with. */
export const MICROS = 1_000_000n;

export const ZERO_RATE = 0n as Rate;

/** The shortest text of a double is what was written, so its decimals are read from there and never rounded. */
const SIX_DECIMALS = /^(\d+)(?:\.(\d{1,6}))?$/;

/** Undefined for everything that is no price: negative, NaN, infinite, over the bound, finer than six decimals. */
export function parseRate(written: number): Rate | undefined {
  if (!(written >= 0 && written <= MAX_RATE_CREDITS)) return undefined;
  const match = SIX_DECIMALS.exec(String(written));
  if (!match) return undefined;
  const [, whole = "0", decimals = ""] = match;
  return (BigInt(whole) * MICROS + BigInt(decimals.padEnd(6, "0"))) as Rate;
}

/** Back to credits as a decimal number, for people: one correctly rounded division gives what was written. */
export function rateCredits(rate: Rate): number {
  return Number(rate) / Number(MICROS);
}

export function dearer(a: Rate, b: Rate): Rate {
  return a > b ? a : b;
}

/** The only rounding of a price. */
export function ceilDivide(amount: bigint, divisor: bigint): bigint {
  assert(amount >= 0n && divisor > 0n, "prices are never negative");
  return (amount + divisor - 1n) / divisor;
}

/**
 * `ceilDivide` for an amount that was added up as a number: null where it may have lost a digit on the way. Sums
 * and products of whole numbers are exact in a double as long as they stay safe, and so is the remainder.
 */
export function ceilDivideSafe(amount: number, divisor: number): number | null {
  if (!(amount >= 0 && amount <= Number.MAX_SAFE_INTEGER)) return null;
  const rest = amount % divisor;
  return (amount - rest) / divisor + (rest > 0 ? 1 : 0);
}
