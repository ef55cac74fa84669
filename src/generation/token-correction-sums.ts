import type { PromptKind, TokenSums } from "../usage/index.ts";

/** What a provider adds shows in short prompts, and how it counts in long ones; those between show neither. */
const SHORT_TOKENS = 1_000;
const LONG_TOKENS = 3_000;
/** A single prompt, however long, is one opinion. */
const MOST_WEIGHT_TOKENS = 20_000;

/** Beyond these a report is about something else: hidden context, a cache that is counted apart, a mistake. */
const LEAST_BELIEVED_FACTOR = 0.4;
const MOST_BELIEVED_FACTOR = 2.5;
const LEAST_BELIEVED_BEYOND = -200;
const MOST_BELIEVED_BEYOND = 2_000;

/** Until more than this was seen, a model counts as we do and its provider adds nothing, more or less. */
export const DOUBT_TOKENS = 30_000;
export const DOUBT_CALLS = 3;

/** What is not given away for long is halved at these, so that it stays news and does not become a weight. */
const MOST_FRESH_TOKENS = 1_000_000;
const MOST_FRESH_CALLS = 200;

export type Sums = { estimated: number; reported: number; calls: number; beyond: number };

/** Of one model and kind of prompt: the sums of all nodes, and what this one has not given away yet. */
export type Learned = { readonly kept: Sums; readonly fresh: Sums };

export type LearnedModel = Readonly<Record<PromptKind, Learned>>;

export function nothingLearned(): LearnedModel {
  return { plain: nothing(), schema: nothing(), tools: nothing() };
}

function nothing(): Learned {
  return {
    kept: { estimated: 0, reported: 0, calls: 0, beyond: 0 },
    fresh: { estimated: 0, reported: 0, calls: 0, beyond: 0 },
  };
}

/** All that is known. */
export function sumsOf({ kept, fresh }: Learned): Sums {
  return {
    estimated: kept.estimated + fresh.estimated,
    reported: kept.reported + fresh.reported,
    calls: kept.calls + fresh.calls,
    beyond: kept.beyond + fresh.beyond,
  };
}

/** One report, against what the correction makes of the same prompt so far. */
export type Report = {
  readonly tokens: number;
  readonly reportedTokens: number;
  readonly factor: number;
  readonly addedTokens: number;
};

export function learnReport({ fresh }: Learned, report: Report): void {
  const { tokens, reportedTokens, factor, addedTokens } = report;
  if (tokens >= LONG_TOKENS) learnFactor(fresh, tokens, (reportedTokens - addedTokens) / tokens);
  else if (tokens < SHORT_TOKENS) learnAdded(fresh, reportedTokens - tokens * factor);
}

function learnFactor(fresh: Sums, tokens: number, factor: number): void {
  if (!(factor >= LEAST_BELIEVED_FACTOR && factor <= MOST_BELIEVED_FACTOR)) return;
  const weight = Math.min(tokens, MOST_WEIGHT_TOKENS);
  if (fresh.estimated + weight > MOST_FRESH_TOKENS) {
    fresh.estimated /= 2;
    fresh.reported /= 2;
  }
  fresh.estimated += weight;
  fresh.reported += weight * factor;
}

function learnAdded(fresh: Sums, beyond: number): void {
  if (!(beyond >= LEAST_BELIEVED_BEYOND && beyond <= MOST_BELIEVED_BEYOND)) return;
  if (fresh.calls + 1 > MOST_FRESH_CALLS) {
    fresh.calls /= 2;
    fresh.beyond /= 2;
  }
  fresh.calls += 1;
  fresh.beyond += beyond;
}

/** What is fresh, to be given away; from here on it counts among the kept. */
export function takeFresh(models: ReadonlyMap<string, LearnedModel>): TokenSums[] {
  return [...models].flatMap(([model, kinds]) =>
    (["plain", "schema", "tools"] as const).flatMap((kind) => {
      const { kept, fresh } = kinds[kind];
      if (fresh.estimated === 0 && fresh.calls === 0) return [];
      const taken = { model, kind, ...fresh };
      add(kept, taken, 1);
      add(fresh, taken, -1);
      return [taken];
    }),
  );
}

/** It could not be given away. */
export function putBack({ kept, fresh }: Learned, taken: TokenSums): void {
  add(kept, taken, -1);
  add(fresh, taken, 1);
}

/** The sums of all nodes, as they are stored. */
export function keep({ kept }: Learned, stored: TokenSums): void {
  kept.estimated = stored.estimated;
  kept.reported = stored.reported;
  kept.calls = stored.calls;
  kept.beyond = stored.beyond;
}

function add(sums: Sums, other: Sums, times: 1 | -1): void {
  sums.estimated += times * other.estimated;
  sums.reported += times * other.reported;
  sums.calls += times * other.calls;
  sums.beyond += times * other.beyond;
}
