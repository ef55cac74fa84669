/** What a call that was read to its end has shown. */
type FinishedCall = {
  /** Output tokens that nobody saw. */
  readonly unseenTokens: number;
  /** From the response headers to the first word that was seen, reasoning included. */
  readonly silentMs: number;
  /** False if it did not reason at all, seen or unseen. */
  readonly thinks: boolean;
};

const MOST_CALLS = 100;
/**
 * A model that may think but did not in this many calls is not expected to. One call that thinks tells more, so that
 * nobody can teach otherwise with a few short ones.
 */
const TELLING_CALLS = 20;
/** Faster than any model: such a server sends its headers after the thinking, so their time says nothing. */
const MOST_TOKENS_PER_MS = 10;
const USUAL_SHARE = 0.95;

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
      const calls = learned.get(target) ?? [];
      learned.set(target, calls);
      if (calls.push(call) > MOST_CALLS) calls.shift();
    },
    /** Tokens thought in this time; null if only the provider's report will tell. `mayThink` is of the catalog. */
    unseenTokens(target: string, silentMs: number, mayThink: boolean): number | null {
      const calls = learned.get(target) ?? [];
      const thinking = calls.filter(({ thinks }) => thinks);
      if (thinking.length === 0) return mayThink && calls.length < TELLING_CALLS ? null : 0;
      const others = calls.filter(({ thinks }) => !thinks);
      const idleMs = at(
        1 / 2,
        others.map((other) => other.silentMs),
      );
      const thoughtMs = sum(thinking.map((each) => Math.max(0, each.silentMs - idleMs)));
      const tokens = thinking.map(({ unseenTokens }) => unseenTokens);
      if (sum(tokens) > thoughtMs * MOST_TOKENS_PER_MS) return null;
      const perMs = sum(tokens) / Math.max(1, thoughtMs);
      return Math.min(Math.floor(perMs * Math.max(0, silentMs - idleMs)), at(USUAL_SHARE, tokens));
    },
  };
}

/** The value up to which this share of the values lies; 0 if there are none. */
function at(share: number, values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
