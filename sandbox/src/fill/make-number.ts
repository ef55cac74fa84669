import type { Random } from "../random.ts";
import { fitsNumber } from "./check-value.ts";
import { numberOf, type Schema } from "./schema-node.ts";

/** Multiples tried from the wish on. */
const MAX_TRIES = 64;

/** Small numbers within the bounds, on the steps of `multipleOf`. `from` skips that many. */
export function* numbersOf(node: Schema, isWhole: boolean, random: Random, from: number): Generator<number> {
  const low = Math.max(
    numberOf(node, "minimum", Number.NEGATIVE_INFINITY),
    numberOf(node, "exclusiveMinimum", Number.NEGATIVE_INFINITY),
  );
  const high = Math.min(
    numberOf(node, "maximum", Number.POSITIVE_INFINITY),
    numberOf(node, "exclusiveMaximum", Number.POSITIVE_INFINITY),
  );
  const stated = Math.abs(numberOf(node, "multipleOf", 0));
  const step = stated > 0 ? stated : 1;
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  const wish = Math.min(Math.max(Math.ceil((1 + Math.floor(random() * 9)) / step), first), last);
  const isRight = (value: number) =>
    Number.isFinite(value) && (!isWhole || Number.isInteger(value)) && fitsNumber(node, value);
  for (let at = from; at < from + MAX_TRIES; at++) {
    const up = wish + at;
    const count =
      up <= last ? up : Number.isFinite(first) ? first + ((up - first) % (last - first + 1)) : wish - at;
    const value = Number.isInteger(step) ? count * step : Number((count * step).toPrecision(15));
    if (isRight(value)) yield value;
    if (at === from && stated === 0 && !isWhole) yield* fractionsOf(low, high, from).filter(isRight);
  }
}

/** Between the bounds, or beside the only one. */
function fractionsOf(low: number, high: number, from: number): number[] {
  const span = Number.isFinite(low) && Number.isFinite(high) ? high - low : 2;
  const base = Number.isFinite(low) ? low : Number.isFinite(high) ? high - span : from;
  return [base, base + span, ...[0.25, 0.5, (from + 1) * GOLDEN].map((share) => base + span * (share % 1))];
}

/** The golden ratio: its multiples modulo 1 spread evenly over a range. */
const GOLDEN = 0.618_033_988_75;
