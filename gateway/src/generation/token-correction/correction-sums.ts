import type { PromptKind } from "../../usage/index.ts";
import { addedFrom, factorFrom } from "./correction-formula.ts";

/** Short prompts show what a provider adds, long ones its factor; those in between show neither. */
const SHORT_TOKENS = 1_000;
const LONG_TOKENS = 3_000;
/** Bounds the weight of a single prompt, however long. */
const MOST_WEIGHT_TOKENS = 20_000;

/** Reports beyond these bounds have another cause: hidden context, a cache that is counted separately, a mistake. */
const LEAST_BELIEVED_FACTOR = 0.4;
const MOST_BELIEVED_FACTOR = 2.5;
const LEAST_BELIEVED_BEYOND = -200;
const MOST_BELIEVED_BEYOND = 2_000;

/**
 * Sums that were not saved for long are halved at these bounds, so that they favour recent calls and do not grow too
 * heavy.
 */
const MOST_UNSAVED_TOKENS = 1_000_000;
const MOST_UNSAVED_CALLS = 200;

const KINDS = ["plain", "schema", "tools"] as const satisfies readonly PromptKind[];

/** A prompt's tokens by our own count, and what kind of prompt it is. */
export type PromptEstimate = { readonly tokens: number; readonly kind: PromptKind };

/**
 * The sums of the formula, as they are stored: `estimated` and `reported` for long prompts, `calls` and `beyond` for
 * short ones.
 */
type Sums = { estimated: number; reported: number; calls: number; beyond: number };

/** For one model and kind of prompt; `stored` and `unsaved` count together. */
type Learned = {
  /** The sums of all nodes as last read, plus what this node has saved since. */
  readonly stored: Sums;
  /** What this node has seen and not saved yet. */
  readonly unsaved: Sums;
};

export type LearnedModel = Readonly<Record<PromptKind, Learned>>;

export function nothingLearned(): LearnedModel {
  return { plain: nothing(), schema: nothing(), tools: nothing() };
}

function nothing(): Learned {
  return {
    stored: { estimated: 0, reported: 0, calls: 0, beyond: 0 },
    unsaved: { estimated: 0, reported: 0, calls: 0, beyond: 0 },
  };
}

export function factorOf(learned: LearnedModel): number {
  return factorFrom(sumOfKinds(learned, "estimated"), sumOfKinds(learned, "reported"));
}

export function addedOf(learned: LearnedModel, kind: PromptKind): number {
  return addedFrom(sumIn(learned[kind], "calls"), sumIn(learned[kind], "beyond"));
}

/** All kinds together, since the factor does not depend on tools. */
export function sumOfKinds({ plain, schema, tools }: LearnedModel, sum: "estimated" | "reported"): number {
  return sumIn(plain, sum) + sumIn(schema, sum) + sumIn(tools, sum);
}

export function sumIn({ stored, unsaved }: Learned, sum: keyof Sums): number {
  return stored[sum] + unsaved[sum];
}

/** What several organizations have taught, taken together. */
export function sumOf(all: readonly LearnedModel[]): LearnedModel {
  const sum = nothingLearned();
  for (const learned of all) {
    for (const kind of KINDS) {
      add(sum[kind].stored, learned[kind].stored, 1);
      add(sum[kind].stored, learned[kind].unsaved, 1);
    }
  }
  return sum;
}

/**
 * A long prompt teaches the factor, given what is known to be added; a short one teaches what is added, given the
 * factor so far.
 */
export function learnReport(
  learned: LearnedModel,
  { tokens, kind }: PromptEstimate,
  reportedTokens: number,
): void {
  const { unsaved } = learned[kind];
  if (tokens >= LONG_TOKENS) learnFactor(unsaved, tokens, (reportedTokens - addedOf(learned, kind)) / tokens);
  else if (tokens < SHORT_TOKENS) learnAdded(unsaved, reportedTokens - tokens * factorOf(learned));
}

function learnFactor(unsaved: Sums, tokens: number, factor: number): void {
  if (!(factor >= LEAST_BELIEVED_FACTOR && factor <= MOST_BELIEVED_FACTOR)) return;
  const weight = Math.min(tokens, MOST_WEIGHT_TOKENS);
  if (unsaved.estimated + weight > MOST_UNSAVED_TOKENS) {
    unsaved.estimated /= 2;
    unsaved.reported /= 2;
  }
  unsaved.estimated += weight;
  unsaved.reported += weight * factor;
}

function learnAdded(unsaved: Sums, beyond: number): void {
  if (!(beyond >= LEAST_BELIEVED_BEYOND && beyond <= MOST_BELIEVED_BEYOND)) return;
  if (unsaved.calls + 1 > MOST_UNSAVED_CALLS) {
    unsaved.calls /= 2;
    unsaved.beyond /= 2;
  }
  unsaved.calls += 1;
  unsaved.beyond += beyond;
}

/** Returns what is to be saved; from here on it counts as stored. */
export function takeUnsaved(learned: LearnedModel): (Sums & { readonly kind: PromptKind })[] {
  return KINDS.flatMap((kind) => {
    const { stored, unsaved } = learned[kind];
    if (unsaved.estimated === 0 && unsaved.calls === 0) return [];
    const taken = { kind, ...unsaved };
    add(stored, taken, 1);
    add(unsaved, taken, -1);
    return [taken];
  });
}

/** Undoes `takeUnsaved` after saving has failed. */
export function putBack({ stored, unsaved }: Learned, taken: Readonly<Sums>): void {
  add(stored, taken, -1);
  add(unsaved, taken, 1);
}

export function setStored({ stored }: Learned, read: Readonly<Sums>): void {
  stored.estimated = read.estimated;
  stored.reported = read.reported;
  stored.calls = read.calls;
  stored.beyond = read.beyond;
}

function add(sums: Sums, other: Readonly<Sums>, times: 1 | -1): void {
  sums.estimated += times * other.estimated;
  sums.reported += times * other.reported;
  sums.calls += times * other.calls;
  sums.beyond += times * other.beyond;
}
