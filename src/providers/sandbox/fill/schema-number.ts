import { numberOf, type SchemaNode } from "./schema-node.ts";

type Range = { readonly low: number; readonly high: number; readonly step: number };

/** Exclusive bounds of numbers that need not be whole are kept by this share of the span. */
const INSIDE = 0.25;

export function fitsNumber(node: SchemaNode, value: number, whole: boolean): boolean {
  if (whole && !Number.isInteger(value)) return false;
  const { low, high, step } = rangeOf(node, whole);
  return value >= low && value <= high && (step === 0 || isMultiple(value, step));
}

/** The smallest value of no surprise: at least 1 where that is allowed, inside every stated bound. */
export function makeNumber(node: SchemaNode, whole: boolean, wish: number): number {
  const { low, high, step } = rangeOf(node, whole);
  const inside = Math.min(Math.max(wish, low), high);
  if (step === 0) return inside;
  const up = Math.ceil(inside / step) * step;
  const chosen = up <= high ? up : Math.floor(high / step) * step;
  // Steps such as 0.01 multiply to 0.30000000000000004.
  return Number(chosen.toPrecision(12));
}

function rangeOf(node: SchemaNode, whole: boolean): Range {
  const minimum = numberOf(node, "minimum") ?? Number.NEGATIVE_INFINITY;
  const maximum = numberOf(node, "maximum") ?? Number.POSITIVE_INFINITY;
  const above = numberOf(node, "exclusiveMinimum") ?? Number.NEGATIVE_INFINITY;
  const below = numberOf(node, "exclusiveMaximum") ?? Number.POSITIVE_INFINITY;
  const stated = Math.abs(numberOf(node, "multipleOf") ?? 0);
  const step = whole && stated < 1 ? 1 : stated;
  const span = Math.min(below, maximum) - Math.max(above, minimum);
  const margin = whole ? 1 : step > 0 ? step : Number.isFinite(span) ? span * INSIDE : 1;
  // A whole number above 2.5 is 3, not 3.5: the margin goes from the bound's own whole number.
  const lowest = whole ? Math.floor(above) + margin : above + margin;
  const highest = whole ? Math.ceil(below) - margin : below - margin;
  return { low: Math.max(minimum, lowest), high: Math.min(maximum, highest), step };
}

function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}
