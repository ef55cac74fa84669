import type { Credits, RateState } from "../kit/index.ts";

/** What is left after a settlement, holds excluded. */
export type ShortBalance = { readonly subscription: Credits; readonly anytime: Credits };

/** The numbers of the efficiency layer; wires render them under their own names. */
export type EfficiencyReport = {
  readonly originalEstimatedTokens: number;
  readonly compactedEstimatedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};

export type ChatFinishReason = "stop" | "length" | "content_filter" | "tool_calls";

/** A finished chat call before money is known: what is stored for an idempotent repeat. */
export type ChatOutcome = {
  readonly model: string;
  readonly content: string;
  readonly finishReason: ChatFinishReason;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly efficiency: EfficiencyReport;
};

/** How a paid call ended well: what it made, what it cost, what is left. */
export type Paid<Outcome> = {
  /** The first call's id where this is a repeat. */
  readonly requestId: string;
  readonly replayed: boolean;
  readonly outcome: Outcome;
  readonly creditsCharged: Credits;
  readonly balance: ShortBalance;
  /** Null for a repeat, which costs no rate. */
  readonly rate: RateState | null;
};
