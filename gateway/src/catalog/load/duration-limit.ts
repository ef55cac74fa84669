import type { DurationLimit } from "../model.ts";
import type { DurationEntry } from "./entry-schema.ts";

/** A duration may be written as a range or as a list; both become one shape, in milliseconds. */
export function durationLimit(entry: DurationEntry): DurationLimit {
  if (!("values" in entry)) {
    return Object.freeze({ minMs: entry.min, maxMs: entry.max, defaultMs: entry.default, valuesMs: null });
  }
  const valuesMs = Object.freeze([...entry.values].sort((a, b) => a - b));
  return Object.freeze({
    minMs: Math.min(...valuesMs),
    maxMs: Math.max(...valuesMs),
    defaultMs: entry.default,
    valuesMs,
  });
}
