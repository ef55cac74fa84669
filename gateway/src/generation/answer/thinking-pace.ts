/** What a call that was read to its end has shown. */
type FinishedCall = {
  /** Seen or unseen; 0 if it did not think. */
  readonly thoughtTokens: number;
  /** From the response headers to the first word that is no reasoning. */
  readonly silentMs: number;
  /** True if most of the thinking was seen, so that it was paid for as delivered. */
  readonly isShown: boolean;
};

const MOST_CALLS = 100;
/** Faster than any model: such a server sends its headers after the thinking, so their time says nothing. */
const MOST_TOKENS_PER_MS = 10;
/** A stall of the provider is not charged: at most what all but one call in twenty thought. */
const MOST_COMMON = 0.95;
/** Longer than these by more than this factor, nobody knows whether it was thinking at all. */
const MOST_TIMES_USUAL = 2;

export type ThinkingPace = ReturnType<typeof createThinkingPace>;

/**
 * How fast targets think where nobody sees it, learned from finished calls: who leaves before the usage report pays for
 * the thinking that ran. Otherwise an answer could be had for the price of its last word.
 */
export function createThinkingPace() {
  /** By target; bounded, since only targets of the catalog are learned. */
  const learned = new Map<string, FinishedCall[]>();

  return {
    learn(target: string, call: FinishedCall): void {
      const calls = learned.getOrInsert(target, []);
      if (calls.push(call) > MOST_CALLS) calls.shift();
    },
    /**
     * Tokens thought in this time beyond those that were shown; null if only the provider's report will tell. Calls
     * without thinking, however many, do not show that the next one has none: anybody could make them.
     */
    unseenTokens(
      target: string,
      { silentMs, shownTokens, mayThink }: { silentMs: number; shownTokens: number; mayThink: boolean },
    ): number | null {
      const calls = learned.get(target) ?? [];
      const thinking = calls.filter(({ thoughtTokens }) => thoughtTokens > 0);
      const idleMs = quantile(
        calls.filter((each) => each.thoughtTokens === 0).map((each) => each.silentMs),
        0.5,
      );
      const thoughtMs = (ofMs: number) => Math.max(0, ofMs - idleMs);
      const timed = thinking
        .map((each) => ({ ...each, ms: thoughtMs(each.silentMs) }))
        .filter(({ thoughtTokens, ms }) => thoughtTokens <= ms * MOST_TOKENS_PER_MS);
      if (timed.length === 0) return mayThink || thinking.length > 0 ? null : 0;
      const usualMs = quantile(
        timed.map(({ ms }) => ms),
        MOST_COMMON,
      );
      if (thoughtMs(silentMs) > usualMs * MOST_TIMES_USUAL) return null;
      const hidden = timed.filter(({ isShown }) => !isShown);
      const tokens = hidden.map(({ thoughtTokens }) => thoughtTokens);
      const perMs = sum(tokens) / Math.max(1, sum(hidden.map(({ ms }) => ms)));
      const thought = Math.min(Math.floor(perMs * thoughtMs(silentMs)), quantile(tokens, MOST_COMMON));
      return Math.max(0, thought - shownTokens);
    },
  };
}

/** 0 if there are none. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
