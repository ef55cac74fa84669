import type { PromptKind } from "../../usage/index.ts";
import { addedFrom, DOUBT_CALLS, DOUBT_TOKENS, factorFrom } from "./correction-formula.ts";
import { type LearnedModel, sumIn, sumOfKinds } from "./correction-sums.ts";

/** The most weight that one organization gets, however much it sends: enough to show how a model counts. */
const MOST_TOKENS_OF_ONE = DOUBT_TOKENS;
const MOST_CALLS_OF_ONE = 10;

/** The inputs of the correction formula. */
export type AgreedCorrection = {
  readonly factor: number;
  readonly added: Readonly<Record<PromptKind, number>>;
};

/**
 * How many more tokens were reported than we counted (`more`), over `weight` tokens (for the factor) or calls (for
 * `added`).
 */
type Evidence = { readonly weight: number; readonly more: number };

/**
 * What several organizations agree on, used for everybody's holds: each has a bounded weight, and the one that would
 * raise the holds most is left out. So no single organization, whatever it sends, can raise the holds of others. Null
 * if fewer than two have contributed.
 */
export function agreedOn(own: readonly LearnedModel[]): AgreedCorrection | null {
  if (own.length < 2) return null;
  const { weight, more } = allButOne(own.map(evidenceOfFactor), DOUBT_TOKENS);
  return {
    factor: factorFrom(weight, weight + more),
    added: {
      plain: agreedAdded(own, "plain"),
      schema: agreedAdded(own, "schema"),
      tools: agreedAdded(own, "tools"),
    },
  };
}

function agreedAdded(own: readonly LearnedModel[], kind: PromptKind): number {
  const { weight, more } = allButOne(
    own.map(({ [kind]: learned }) =>
      bounded({ weight: sumIn(learned, "calls"), more: sumIn(learned, "beyond") }, MOST_CALLS_OF_ONE),
    ),
    DOUBT_CALLS,
  );
  return addedFrom(weight, more);
}

function evidenceOfFactor(learned: LearnedModel): Evidence {
  const estimated = sumOfKinds(learned, "estimated");
  return bounded(
    { weight: estimated, more: sumOfKinds(learned, "reported") - estimated },
    MOST_TOKENS_OF_ONE,
  );
}

/** Reduces the weight without changing the ratio. */
function bounded({ weight, more }: Evidence, most: number): Evidence {
  return weight <= most ? { weight, more } : { weight: most, more: (more * most) / weight };
}

/** The sum of all evidence except one: the one whose omission gives the lowest correction. */
function allButOne(all: readonly Evidence[], doubt: number): Evidence {
  let weight = 0;
  let more = 0;
  for (const one of all) {
    weight += one.weight;
    more += one.more;
  }
  let least: Evidence = { weight, more };
  let leastRatio = Number.POSITIVE_INFINITY;
  for (const one of all) {
    const rest = { weight: weight - one.weight, more: more - one.more };
    const ratio = rest.more / (rest.weight + doubt);
    if (ratio >= leastRatio) continue;
    least = rest;
    leastRatio = ratio;
  }
  return least;
}
