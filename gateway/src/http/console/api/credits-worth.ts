import type { Credits } from "../../../kit/index.ts";

const MICROS_PER_CENT = 10_000n;

/** In whole cents, rounded down. BigInt, since a large balance times its value exceeds what a double holds. */
export function worthCents(amount: Credits, creditMicroUsd: number): number {
  return Number((BigInt(amount) * BigInt(creditMicroUsd)) / MICROS_PER_CENT);
}
