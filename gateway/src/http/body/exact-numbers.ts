import { invalid } from "../../kit/index.ts";
import { MOST_LONG_NUMBERS } from "./json-guard.ts";

/**
 * Numbers in a body beyond the safe integers, as the caller wrote them, by their rounded value. We use the rounded
 * numbers; an upstream of the caller's own wire is sent what the caller wrote.
 */
export type ExactNumbers = ReadonlyMap<number, string>;

/** Keyed by the body: hardly any has such numbers, so nothing is passed along for the others. */
const kept = new WeakMap<object, ExactNumbers>();
/** Bodies with a number that was read as infinity. */
const endless = new WeakSet<object>();

/** Numbers written differently that became the same double cannot be told apart any more: they stay rounded. */
export function keepExactNumbers(body: unknown, written: readonly string[]): void {
  if (typeof body !== "object" || body === null) return;
  if (written.some((text) => !Number.isFinite(Number(text)))) endless.add(body);
  if (written.length > MOST_LONG_NUMBERS) return;
  const numbers = new Map<number, string>();
  const asTheyAre = new Set<number>();
  for (const text of written) {
    const number = Number(text);
    if ((numbers.get(number) ?? text) !== text || String(number) === text) asTheyAre.add(number);
    numbers.set(number, text);
  }
  for (const number of asTheyAre) numbers.delete(number);
  if (numbers.size > 0) kept.set(body, numbers);
}

export function exactNumbersIn(body: object): ExactNumbers | undefined {
  return kept.get(body);
}

/** For bodies that are passed on: JSON cannot express infinity, so it would arrive as null. */
export function refuseEndlessNumbers(body: object): void {
  if (endless.has(body))
    throw invalid("body", `must have no number beyond ${Number.MAX_VALUE}, above or below 0`);
}
