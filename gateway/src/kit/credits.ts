import { AssertionError, assert } from "./assert.ts";

declare const creditsBrand: unique symbol;
declare const deltaBrand: unique symbol;

/** Whole credits, never negative. The brand keeps bare numbers out of signatures that mean money. */
export type Credits = number & { readonly [creditsBrand]: true };

/** A signed movement of credits: an entry's amount or an adjustment. */
export type CreditDelta = number & { readonly [deltaBrand]: true };

/** Far above any real balance, far below where doubles stop being exact integers. */
export const MAX_CREDITS = 1_000_000_000_000_000;

export function credits(value: number): Credits {
  if (!(Number.isSafeInteger(value) && value >= 0 && value <= MAX_CREDITS)) throw notCredits(value);
  return value as Credits;
}

function notCredits(value: string | number): AssertionError {
  return new AssertionError(`not an amount of credits: ${value}`);
}

export function creditDelta(value: number): CreditDelta {
  assert(Number.isSafeInteger(value) && Math.abs(value) <= MAX_CREDITS, `not a change of credits: ${value}`);
  return value as CreditDelta;
}

const DIGITS = /^\d+$/;

/** For a bigint, which arrives as text unless its statement makes it a number. A null must not pass as 0. */
export function creditsFromSql(text: string | number): Credits {
  if (typeof text !== "number" && !DIGITS.test(text)) throw notCredits(text);
  return credits(Number(text));
}

export const ZERO_CREDITS = credits(0);
