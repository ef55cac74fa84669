import type { Credits } from "../../../kit/index.ts";

const MICROS_PER_CENT = 10_000n;

/** In whole cents, down: nobody is told more than there is. Large balances times their worth outgrow a double. */
export function worthCents(amount: Credits, creditMicroUsd: number): number {
  return Number((BigInt(amount) * BigInt(creditMicroUsd)) / MICROS_PER_CENT);
}
