/** The estimator's costs: averages over conversations, pulled towards a guess where there is little data. */
import { UNITS_PER_TOKEN } from "../compaction/src/tokens/token-cost.ts";
import { CLASSES, type Equation, SIZES, type Tally } from "./fit-estimator-tally.ts";

/** In the units of the table. */
export type Costs = {
  readonly unknown: readonly (readonly number[])[];
  readonly long: readonly number[];
  readonly foreign: readonly [known: number, rare: number];
};

/** Errors are measured per conversation, so a long one must not dominate. */
const weightOf = ({ exactTokens }: Tally) => 1 / Math.sqrt(exactTokens + 500);

/** Weight of the guesses: with weights around 1/40, that of some fifty words. */
const DOUBT = 1.3;
/** Tokens beyond the first in an unknown word, if its class has no data. */
const GUESS = 1.15;
/** Per character of a long word: letter, mark, symbol and blank, each first after another kind, then after its own. */
const LONG_GUESS = [0.4, 0.125, 0.5, 0.02, 1, 0.1, 0.3, 0.01];
const FOREIGN_GUESS = [1.05, 2.2];

export function fitCosts(tallies: readonly Tally[]): Costs {
  const share = 1 + mistakenShare(tallies);
  const [known = 1, rare = 1] = solve(tallies, ({ foreign }) => foreign, FOREIGN_GUESS);
  return {
    unknown: Array.from({ length: CLASSES }, (_, kind) => fitClass(tallies, kind, share)),
    long: solve(tallies, ({ long }) => long, LONG_GUESS).map(inUnits),
    foreign: [inUnits(known), inUnits(rare)],
  };
}

export function estimateOf(tally: Tally, costs: Costs): number {
  let units = (tally.words + tally.digitTokens) * UNITS_PER_TOKEN;
  const unknown = costs.unknown.flat();
  tally.unknown.forEach(({ count }, index) => {
    units += count * (unknown[index] ?? 0);
  });
  for (const { counts } of tally.long) units += product(counts, costs.long);
  for (const { counts } of tally.foreign) units += product(counts, costs.foreign);
  return units / UNITS_PER_TOKEN;
}

/** A known word costs exactly one token; the shortfall of words mistaken for known is added to the unknown ones. */
function mistakenShare(tallies: readonly Tally[]): number {
  let mistaken = 0;
  let extra = 0;
  for (const tally of tallies) {
    mistaken += weightOf(tally) * (tally.known.tokens - tally.known.count);
    for (const { count, tokens } of tally.unknown) extra += weightOf(tally) * (tokens - count);
  }
  return mistaken / extra;
}

/** Each length has its average; lengths with few words are pulled towards a line through all lengths. */
function fitClass(tallies: readonly Tally[], kind: number, share: number): number[] {
  const counts = new Array<number>(SIZES).fill(0);
  const extras = new Array<number>(SIZES).fill(0);
  for (const tally of tallies) {
    for (let size = 1; size < SIZES; size++) {
      const seen = tally.unknown[kind * SIZES + size];
      if (seen === undefined) continue;
      counts[size] = (counts[size] ?? 0) + weightOf(tally) * seen.count;
      extras[size] = (extras[size] ?? 0) + weightOf(tally) * share * (seen.tokens - seen.count);
    }
  }
  const line = fitLine(counts, extras);
  return counts.map((count, size) =>
    size === 0 ? 0 : inUnits(Math.max(0, ((extras[size] ?? 0) + DOUBT * line(size)) / (count + DOUBT))),
  );
}

/** Never decreasing: a longer word has no fewer tokens. */
function fitLine(counts: readonly number[], extras: readonly number[]): (size: number) => number {
  let [n, x, y, xx, xy] = [2, 12, 2 * GUESS, 100, 12 * GUESS];
  counts.forEach((count, size) => {
    n += count;
    x += count * size;
    y += extras[size] ?? 0;
    xx += count * size * size;
    xy += (extras[size] ?? 0) * size;
  });
  const slope = Math.max(0, (n * xy - x * y) / (n * xx - x * x));
  return (size) => Math.max(0.5, (y - slope * x) / n + slope * size);
}

/** Least squares, one variable after the other until they converge; positive, and near the guess without data. */
function solve(
  tallies: readonly Tally[],
  pick: (tally: Tally) => readonly Equation[],
  guess: readonly number[],
): number[] {
  const matrix = guess.map((_, row) => guess.map((_, column) => (row === column ? DOUBT * 15 : 0)));
  const target = guess.map((value) => value * DOUBT * 15);
  for (const tally of tallies) {
    for (const { counts, tokens } of pick(tally)) {
      const weight = weightOf(tally) / (10 + tokens);
      counts.forEach((count, row) => {
        target[row] = (target[row] ?? 0) + weight * count * tokens;
        counts.forEach((other, column) => {
          const cells = matrix[row];
          if (cells) cells[column] = (cells[column] ?? 0) + weight * count * other;
        });
      });
    }
  }
  const solution = [...guess];
  for (let round = 0; round < 300; round++) {
    solution.forEach((value, row) => {
      const cells = matrix[row] ?? [];
      const own = cells[row] ?? 1;
      solution[row] = Math.max(0.001, ((target[row] ?? 0) - product(cells, solution) + own * value) / own);
    });
  }
  return solution;
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function inUnits(tokens: number): number {
  return Math.round(tokens * UNITS_PER_TOKEN);
}
