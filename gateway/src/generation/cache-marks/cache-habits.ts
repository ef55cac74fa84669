import type { TextPrice } from "../../catalog/index.ts";

/**
 * What became of calls: how many came within the life of a mark after another one of the same shape; how many began a
 * conversation or went on with one, and how many of either were gone on with before a mark there would have expired.
 */
export type HabitSums = {
  again: number;
  firsts: number;
  firstsRead: number;
  laters: number;
  latersRead: number;
};

export const SUMS = ["again", "firsts", "firstsRead", "laters", "latersRead"] as const;

/** Sums are halved at this many calls, so that they follow what calls do now. The function in SQL has the same number. */
const MOST_CALLS = 200;

export function noHabit(): HabitSums {
  return { again: 0, firsts: 0, firstsRead: 0, laters: 0, latersRead: 0 };
}

export function add(to: HabitSums, seen: Partial<HabitSums>, times: 1 | -1 = 1): void {
  for (const sum of SUMS) to[sum] += times * (seen[sum] ?? 0);
}

export function fade(sums: HabitSums): void {
  if (sums.firsts + sums.laters > MOST_CALLS) for (const sum of SUMS) sums[sum] /= 2;
}

/** What is assumed counts as this many calls. */
const ASSUMED_CALLS = 4;
/** Of calls of a shape never seen before. Whoever declares tools is probably an agent, which calls again at once. */
const ASSUMED_WITH_TOOLS = 0.5;
const ASSUMED_WITHOUT_TOOLS = 0.1;
/** A conversation that went on within minutes goes on again. */
const ASSUMED_OF_LATERS = 0.7;

type Shares = { readonly again: number; readonly firsts: number; readonly laters: number };

/**
 * The share of calls after which a mark would have been read: of this shape, as far as it is known, else as of the
 * organization's other shapes when they were new.
 */
export function readShares(own: HabitSums, ofNew: HabitSums, hasTools: boolean): Shares {
  const assumed = hasTools ? ASSUMED_WITH_TOOLS : ASSUMED_WITHOUT_TOOLS;
  return {
    again: share(own.again, own.firsts + own.laters, share(ofNew.again, ofNew.firsts, assumed)),
    firsts: share(own.firstsRead, own.firsts, share(ofNew.firstsRead, ofNew.firsts, assumed)),
    laters: share(own.latersRead, own.laters, ASSUMED_OF_LATERS),
  };
}

function share(read: number, calls: number, assumed: number): number {
  return (read + ASSUMED_CALLS * assumed) / (calls + ASSUMED_CALLS);
}

/** Anthropic's and nearly everybody's: a write costs a quarter more than input, a read a tenth of it. */
const USUAL = { input: 1, cacheWrite: 1.25, cachedInput: 0.1 };

/**
 * Whether a mark that is read after this share of calls costs less than it saves, at the model's own prices; at the
 * usual ones from 22 % on. A catalog entry that says nothing about caches has only one price for all input.
 */
export function isWorthMarking(
  readShare: number,
  { input, cacheWrite, cachedInput }: Pick<TextPrice, "input" | "cacheWrite" | "cachedInput">,
): boolean {
  const isUnsaid = cacheWrite === input && cachedInput === input;
  const price = isUnsaid
    ? USUAL
    : { input: Number(input), cacheWrite: Number(cacheWrite), cachedInput: Number(cachedInput) };
  return readShare * (price.cacheWrite - price.cachedInput) > price.cacheWrite - price.input;
}
