import { assert, type Credits, credits } from "../kit/index.ts";

/** The share of each asset of one call. The first ones carry the remainder, so the shares sum to the whole. */
export function splitCost(total: Credits, parts: number): readonly Credits[] {
  assert(Number.isInteger(parts) && parts >= 1, `not a number of parts: ${parts}`);
  const share = Math.floor(total / parts);
  const remainder = total - share * parts;
  return Array.from({ length: parts }, (_, index) => credits(index < remainder ? share + 1 : share));
}
