import type { Usage } from "../../catalog/index.ts";

/** What a call that was read to its end has shown. */
type FinishedCall = {
  /** As reported, and believed. */
  readonly usage: Pick<Usage, "outputTokens" | "reasoningTokens">;
  /** From the response headers to the first word that was seen, reasoning included; if it came whole, to its end. */
  readonly silentMs: number;
  readonly isWhole: boolean;
  /** True if the catalog says that the model reasons. */
  readonly mayThink: boolean;
  /** Our count of all that was seen. */
  writtenTokens(): number;
};

/**
 * How fast targets think where nobody sees it, learned from finished calls: who leaves before the usage report pays for
 * the thinking that ran. Otherwise an answer could be had for the price of its last word.
 */
export type ThinkingPace = {
  learn(target: string, call: FinishedCall): void;
  /** Tokens thought in this time; null if only the provider's report will tell. */
  unseenTokens(target: string, call: Pick<FinishedCall, "silentMs" | "mayThink">): number | null;
};

type Seen = { readonly thinks: boolean; readonly unseenTokens: number; readonly silentMs: number };

const MOST_CALLS = 100;
/**
 * A model that may think but did not in this many calls is not expected to. One call that thinks tells more, so that
 * nobody can teach otherwise with a few short ones.
 */
const TELLING_CALLS = 20;
/** A smaller difference between the provider's count and ours is none. */
const LEAST_TOKENS = 64;
/** Faster than any model: such a server sends its headers after the thinking, so their time says nothing. */
const MOST_TOKENS_PER_MS = 10;
const USUAL_SHARE = 0.95;

export function createThinkingPace(): ThinkingPace {
  /** By target; bounded, since only targets of the catalog are learned. */
  const learned = new Map<string, Seen[]>();

  return {
    learn(target, call) {
      const seen = seenOf(call);
      if (call.isWhole && !seen.thinks) return;
      const calls = learned.get(target) ?? [];
      learned.set(target, calls);
      if (calls.push(seen) > MOST_CALLS) calls.shift();
    },
    unseenTokens(target, { silentMs, mayThink }) {
      const calls = learned.get(target) ?? [];
      const thinking = calls.filter(({ thinks }) => thinks);
      if (thinking.length === 0) return mayThink && calls.length < TELLING_CALLS ? null : 0;
      const tokens = thinking.map(({ unseenTokens }) => unseenTokens);
      const most = at(tokens, USUAL_SHARE);
      if (most === 0) return 0;
      const others = calls.filter(({ thinks }) => !thinks).map((other) => other.silentMs);
      const idleMs = at(others, 1 / 2);
      const spentMs = sum(thinking.map((each) => Math.max(0, each.silentMs - idleMs)));
      if (sum(tokens) > spentMs * MOST_TOKENS_PER_MS) return null;
      const thoughtMs = Math.max(0, silentMs - idleMs);
      return Math.min(Math.floor((sum(tokens) / spentMs) * thoughtMs), most);
    },
  };
}

/** Some providers show their thinking, some a summary, and some do not count it apart from the rest of the output. */
function seenOf({ usage, silentMs, isWhole, mayThink, writtenTokens }: FinishedCall): Seen {
  const { outputTokens, reasoningTokens } = usage;
  const isCounted = reasoningTokens > 0;
  if (!isCounted && !mayThink) return { thinks: false, unseenTokens: 0, silentMs };
  const thoughtTokens = isCounted ? reasoningTokens : outputTokens;
  const difference = Math.min(thoughtTokens, outputTokens - writtenTokens());
  const isUnseen = difference >= Math.max(LEAST_TOKENS, thoughtTokens / 2);
  const unseenTokens = isUnseen ? difference : 0;
  const thoughtMs = isWhole ? (silentMs * unseenTokens) / Math.max(1, outputTokens) : silentMs;
  return { thinks: isCounted || isUnseen, unseenTokens, silentMs: thoughtMs };
}

/** The value up to which this share of the values lies; 0 if there are none. */
function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
