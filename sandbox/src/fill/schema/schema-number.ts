import {
  areFarApart,
  decimalOf,
  divideDown,
  divideUp,
  isMultipleOf,
  leastCommonMultiple,
  numberFrom,
  unitsAt,
} from "../decimal.ts";
import { numberOf, type SchemaNode } from "./schema-node.ts";

/** Multiples tried on each side of the wish. */
const MAX_TRIED = 64;
/** Neighbouring doubles tried instead, if doubles are further apart than the multiples. */
const MAX_NEIGHBOURS = 10;
/** Numbers that need not be whole stay this share of the range away from an exclusive bound. */
const INSIDE = 0.25;
/** The golden ratio: its multiples modulo 1 spread evenly over a range. */
const GOLDEN = 0.618_033_988_75;

type Bounds = {
  readonly low: number;
  readonly high: number;
  readonly isOpenLow: boolean;
  readonly isOpenHigh: boolean;
  /** Every value is a multiple of it; 0 if any value will do. */
  readonly step: number;
};

export function fitsNumber(node: SchemaNode, value: number, whole: boolean): boolean {
  if (whole && !Number.isInteger(value)) return false;
  return isInside(boundsOf(node, whole), value);
}

/** A number that fits, the wish itself if it does; if none is found, the wish clamped to the bounds. */
export function makeNumber(node: SchemaNode, whole: boolean, wish: number): number {
  for (const value of numbersOf(node, whole, wish)) return value;
  const { low, high } = boundsOf(node, whole);
  return Math.min(Math.max(wish, low), high);
}

/** Numbers that fit, the wish first. `from` skips that many, for lists whose items must differ. */
export function* numbersOf(node: SchemaNode, whole: boolean, wish: number, from = 0): Generator<number> {
  const bounds = boundsOf(node, whole);
  const isEasy = bounds.step === 0 || Number.isInteger(wish / bounds.step);
  if (from === 0 && isEasy && isInside(bounds, wish)) yield wish;
  const found = bounds.step > 0 ? multiples(bounds, wish, from) : between(bounds, wish, from);
  for (const value of found) if (Number.isFinite(value) && isInside(bounds, value)) yield value;
}

function boundsOf(node: SchemaNode, whole: boolean): Bounds {
  const minimum = numberOf(node, "minimum") ?? Number.NEGATIVE_INFINITY;
  const maximum = numberOf(node, "maximum") ?? Number.POSITIVE_INFINITY;
  const above = numberOf(node, "exclusiveMinimum") ?? Number.NEGATIVE_INFINITY;
  const below = numberOf(node, "exclusiveMaximum") ?? Number.POSITIVE_INFINITY;
  const stated = Math.abs(numberOf(node, "multipleOf") ?? 0);
  return {
    low: Math.max(minimum, above),
    high: Math.min(maximum, below),
    isOpenLow: above >= minimum,
    isOpenHigh: below <= maximum,
    step: !whole ? stated : stated === 0 ? 1 : leastCommonMultiple(stated, 1),
  };
}

function isInside({ low, high, isOpenLow, isOpenHigh, step }: Bounds, value: number): boolean {
  if (value < low || value > high) return false;
  if ((value === low && isOpenLow) || (value === high && isOpenHigh)) return false;
  return step === 0 || (step === 1 ? Number.isInteger(value) : isMultipleOf(value, step));
}

/** From the wish upwards, then downwards; values that are also multiples in binary floating point come first. */
function* multiples({ low, high, step }: Bounds, wish: number, from: number): Generator<number> {
  const near = Math.min(Math.max(wish, low), high) / step;
  // Doubles this large are further apart than multiples of the step, so trying these one by one would repeat the same.
  if (Math.abs(near) > Number.MAX_SAFE_INTEGER || areFarApart([low, high, step, wish])) {
    yield* [Math.ceil(near), Math.floor(near)].map((count) => (count + from) * step);
    return yield* neighbours(near * step);
  }
  const places = Math.max(...[low, high, step, wish].filter(Number.isFinite).map((n) => decimalOf(n).places));
  const unitsOf = (value: number) => unitsAt(decimalOf(value), places);
  const unit = unitsOf(step);
  const first = Number.isFinite(low) ? divideUp(unitsOf(low), unit) : undefined;
  const last = Number.isFinite(high) ? divideDown(unitsOf(high), unit) : undefined;
  let start = divideUp(unitsOf(wish), unit);
  if (first !== undefined && start < first) start = first;
  if (last !== undefined && start > last) start = last;
  const isUneven = (value: number) => !Number.isInteger(value / step);
  const uneven: number[] = [];
  for (const direction of [1n, -1n]) {
    const skipped = direction === 1n ? BigInt(from) : 1n;
    for (let count = 0n; count < MAX_TRIED; count++) {
      const at = start + direction * (count + skipped);
      if ((first !== undefined && at < first) || (last !== undefined && at > last)) break;
      const value = numberFrom({ units: at * unit, places });
      if (isUneven(value)) uneven.push(value);
      else yield value;
    }
  }
  yield* uneven;
  for (let at = start; at < start + BigInt(from) && (last === undefined || at <= last); at++) {
    yield numberFrom({ units: at * unit, places });
  }
}

function* between({ low, high }: Bounds, wish: number, from: number): Generator<number> {
  if (from === 0) yield Math.min(Math.max(wish, low), high);
  else yield wish + from;
  // If `integer` is the alternative, only a fraction counts as a number.
  yield wish + from + 0.5;
  const span = high - low;
  if (!Number.isFinite(span)) {
    const [edge, away] = Number.isFinite(low) ? [low, 1] : [Number.isFinite(high) ? high : 0, -1];
    for (let count = 1; count <= MAX_TRIED; count++) yield edge + away * (count + from);
    yield edge + (away * Math.abs(edge)) / 2;
  } else {
    yield low + span * INSIDE;
    for (let count = 1; count <= MAX_TRIED; count++) yield low + span * (((count + from) * GOLDEN) % 1);
  }
  yield low;
  yield high;
  yield neighbour(low, 1n);
  yield neighbour(high, -1n);
}

function* neighbours(value: number): Generator<number> {
  let [above, below] = [value, value];
  for (let count = 0; count < MAX_NEIGHBOURS; count++) {
    above = neighbour(above, 1n);
    below = neighbour(below, -1n);
    yield above;
    yield below;
  }
}

/** The next double above (`1n`) or below (`-1n`). */
function neighbour(value: number, direction: 1n | -1n): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number(direction) * Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? direction : -direction);
  return new Float64Array(bits.buffer)[0] ?? value;
}
