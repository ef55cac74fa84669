import type { PromptKind } from "../usage/index.ts";
import {
  DOUBT_CALLS,
  DOUBT_TOKENS,
  type LearnedModel,
  nothingLearned,
  type Sums,
  sumsOf,
} from "./token-correction-sums.ts";

/** Of one organization, however much it sends: as much as shows how a model counts, and no more. */
const MOST_TOKENS_OF_ONE = DOUBT_TOKENS;
const MOST_CALLS_OF_ONE = 10;

const KINDS = ["plain", "schema", "tools"] as const satisfies readonly PromptKind[];

type Share = { readonly of: number; readonly beyond: number };

/**
 * What several organizations agree on, for everybody's holds: each has a bounded weight, and whoever would raise them most
 * is left out. So one alone, whatever it sends, makes nobody else hold a credit more. Null where nothing is left.
 */
export function agreedOn(own: readonly LearnedModel[]): LearnedModel | null {
  if (own.length < 2) return null;
  const agreed = nothingLearned();
  // The factor is the same for all kinds: where its sums stand makes no difference.
  const factor = allButOne(own.map(factorShare), DOUBT_TOKENS);
  agreed.plain.kept.estimated = factor.of;
  agreed.plain.kept.reported = factor.of + factor.beyond;
  for (const kind of KINDS) {
    const added = allButOne(
      own.map((learned) => addedShare(sumsOf(learned[kind]))),
      DOUBT_CALLS,
    );
    agreed[kind].kept.calls = added.of;
    agreed[kind].kept.beyond = added.beyond;
  }
  return agreed;
}

function factorShare(learned: LearnedModel): Share {
  let estimated = 0;
  let reported = 0;
  for (const kind of KINDS) {
    const sums = sumsOf(learned[kind]);
    estimated += sums.estimated;
    reported += sums.reported;
  }
  return bounded({ of: estimated, beyond: reported - estimated }, MOST_TOKENS_OF_ONE);
}

function addedShare({ calls, beyond }: Sums): Share {
  return bounded({ of: calls, beyond }, MOST_CALLS_OF_ONE);
}

function bounded({ of, beyond }: Share, most: number): Share {
  return of <= most ? { of, beyond } : { of: most, beyond: (beyond * most) / of };
}

/** Without the one that makes the most of a difference upwards. */
function allButOne(shares: readonly Share[], doubt: number): Share {
  let of = 0;
  let beyond = 0;
  for (const share of shares) {
    of += share.of;
    beyond += share.beyond;
  }
  let least: Share = { of, beyond };
  let leastFactor = Number.POSITIVE_INFINITY;
  for (const share of shares) {
    const rest = { of: of - share.of, beyond: beyond - share.beyond };
    const factor = rest.beyond / (rest.of + doubt);
    if (factor >= leastFactor) continue;
    least = rest;
    leastFactor = factor;
  }
  return least;
}
