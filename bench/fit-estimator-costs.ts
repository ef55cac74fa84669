/**
 * The estimator's costs. Its estimate is a sum of costs, so it tells itself how often it uses each of them: that one is
 * set to a token, and all others to nothing.
 */
import { estimateTokens } from "../compaction/src/tokens/estimate.ts";
import {
  COSTS,
  HIGH_COSTS,
  LONG_COSTS,
  LONGEST_WORD,
  spreadCosts,
  UNITS_PER_TOKEN,
} from "../compaction/src/tokens/token-costs.ts";
import { exactTokens } from "./exact-tokens.ts";

/** What the estimator finds in a text, and what there is. */
export type Row = {
  readonly exact: number;
  readonly words: number;
  /** By place in `USED`. */
  readonly uses: Float64Array;
};

/** In tokens: the guess, where there is little data, and a bound: no text has more tokens than bytes. */
type Cost = {
  readonly at: number;
  readonly guess: number;
  readonly most: number;
  readonly next: number | null;
};

const KINDS = 8;
/** A word of one byte is one token. */
const LENGTHS = LONGEST_WORD - 1;
const GUESS = 1.15;
const LONG_GUESS = [0.4, 0.13, 0.4, 0.13, 0.5, 0.02, 0.5, 0.02, 0.3, 0.01, 0.3, 0.05, 0.33, 0.33, 0.4, 0.13];
const HIGH_GUESS = [1.05, 0.9];

/** The costs that a text can use. Neighbours in length are fitted alike. */
const USED: readonly Cost[] = [
  ...Array.from({ length: KINDS * LENGTHS }, (_, at) =>
    costOfWord(Math.floor(at / LENGTHS), (at % LENGTHS) + 2),
  ),
  ...LONG_GUESS.map((guess, at) => ({ at: LONG_COSTS + at, guess, most: 1, next: null })),
  ...HIGH_GUESS.map((guess, at) => ({
    at: HIGH_COSTS + at,
    guess,
    most: at === 0 ? 1.15 : 0.85,
    next: null,
  })),
];

function costOfWord(kind: number, length: number): Cost {
  const at = kind * 32 + length;
  // Three digits are a token.
  const guess = kind === 6 ? Math.ceil(length / 3) - 1 : GUESS + Math.max(0, length - 6) * 0.07;
  return { at, guess, most: length - 1, next: length < LONGEST_WORD ? at + 1 : null };
}

export function setCosts(tokens: ReadonlyMap<number, number>): void {
  COSTS.fill(0);
  for (const [at, cost] of tokens) COSTS[at] = Math.round(cost * UNITS_PER_TOKEN);
  spreadCosts();
}

export function rowsOf(texts: readonly string[]): Row[] {
  setCosts(new Map());
  const rows = texts.map((text) => ({
    exact: exactTokens(text),
    words: estimateTokens(text),
    uses: new Float64Array(USED.length),
  }));
  USED.forEach(({ at }, place) => {
    setCosts(new Map([[at, 1]]));
    texts.forEach((text, row) => {
      const { uses, words } = rows[row] as Row;
      uses[place] = estimateTokens(text) - words;
    });
  });
  return rows;
}

/** Sums of squares over rows: those of several conversations can be added. */
export type Sums = { readonly squares: Float64Array; readonly targets: Float64Array };

const SIZE = USED.length;
const noSums = (): Sums => ({ squares: new Float64Array(SIZE * SIZE), targets: new Float64Array(SIZE) });

/** Errors are measured per conversation, so a long one must not dominate; and a long text is no surer than it is long. */
export function sumsOf(rows: readonly Row[]): Sums {
  const sums = noSums();
  const { squares, targets } = sums;
  const conversation = rows.reduce((tokens, { exact }) => tokens + exact, 0);
  for (const { exact, words, uses } of rows) {
    const weight = 1 / Math.sqrt(conversation + 500) / (exact + 10);
    const used = [...uses.keys()].filter((place) => uses[place] !== 0);
    for (const one of used) {
      const times = weight * (uses[one] ?? 0);
      targets[one] = (targets[one] ?? 0) + times * (exact - words);
      for (const other of used) {
        squares[one * SIZE + other] = (squares[one * SIZE + other] ?? 0) + times * (uses[other] ?? 0);
      }
    }
  }
  return sums;
}

export function addUp(all: readonly Sums[]): Sums {
  const total = noSums();
  for (const { squares, targets } of all) {
    squares.forEach((value, at) => {
      total.squares[at] = (total.squares[at] ?? 0) + value;
    });
    targets.forEach((value, at) => {
      total.targets[at] = (total.targets[at] ?? 0) + value;
    });
  }
  return total;
}

/** Weight of the guesses, and of the likeness of neighbours. */
const DOUBT = 0.02;
const LIKENESS = 0.2;
/** Rounds until nothing moves any more. */
const ROUNDS = 400;

/** Least squares, one cost after the other until they converge; none is negative. In tokens. */
export function fitCosts({ squares, targets }: Sums): ReadonlyMap<number, number> {
  const costs = Float64Array.from(USED, ({ guess }) => guess);
  const neighbours = USED.map(({ at, next }, place) => [
    ...(next === null ? [] : [place + 1]),
    ...(USED[place - 1]?.next === at ? [place - 1] : []),
  ]);
  for (let round = 0; round < ROUNDS; round++) {
    USED.forEach(({ guess, most }, place) => {
      let target = (targets[place] ?? 0) + DOUBT * guess;
      let own = (squares[place * SIZE + place] ?? 0) + DOUBT;
      for (let other = 0; other < SIZE; other++) {
        if (other !== place) target -= (squares[place * SIZE + other] ?? 0) * (costs[other] ?? 0);
      }
      for (const other of neighbours[place] ?? []) {
        target += LIKENESS * ((costs[other] ?? 0) + guess - (USED[other]?.guess ?? 0));
        own += LIKENESS;
      }
      costs[place] = Math.min(most, Math.max(0, target / own));
    });
  }
  return new Map(USED.map(({ at }, place) => [at, costs[place] ?? 0]));
}

/** The estimate with these costs. */
export function estimateOf({ words, uses }: Row, costs: ReadonlyMap<number, number>): number {
  return USED.reduce((tokens, { at }, place) => tokens + (uses[place] ?? 0) * (costs.get(at) ?? 0), words);
}
