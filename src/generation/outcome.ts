import type { Usage } from "../catalog/index.ts";
import type { Credits, RateState } from "../kit/index.ts";
import type { FinishReason, ReasoningPart, ToolCall } from "../providers/index.ts";

/** What is left after a settlement, holds excluded. */
type ShortBalance = { readonly subscription: Credits; readonly anytime: Credits };

/** The numbers of the efficiency layer; wires render them under their own names. */
export type EfficiencyReport = {
  readonly originalEstimatedTokens: number;
  readonly compactedEstimatedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};

/** Of an answer: so many characters of its text or its refusal, its next stretch of reasoning, or this one of its calls. */
export type AnswerBlock = number | "thought" | { readonly refusal: number } | { readonly call: number };

/** How much was thought before a call began: what its id carries, where that is all that clients give back. */
export type CallBeginning = { readonly characters: number; readonly signatures: number };

/** One of a call's answers, whole. */
export type WholeAnswer = {
  readonly content: string;
  readonly refusal: string;
  readonly reasoning: readonly ReasoningPart[];
  readonly toolCalls: readonly ToolCall[];
  readonly logprobs: readonly unknown[];
  /** What its text cites. Absent where it cites nothing. */
  readonly annotations?: readonly unknown[];
  /** Absent where it thought, then spoke, then refused, then called. */
  readonly order?: readonly AnswerBlock[];
  /**
   * How many of the log probabilities stand before the first text, are of it, stand before the second, and so on; the
   * rest stand behind the last. Absent where all are of the last text.
   */
  readonly logprobCounts?: readonly number[];
  /** Of each of its calls. Absent where each begins where its arguments do. */
  readonly begun?: readonly CallBeginning[];
  readonly finishReason: FinishReason;
};

/** A finished chat call before money is known: what is stored for an idempotent repeat. */
export type ChatOutcome = {
  readonly model: string;
  /** One per answer that was asked for; empty where `wire` says it all. */
  readonly answers: readonly WholeAnswer[];
  /** The answer as the caller's own wire says it, where its provider speaks that wire and it was wanted whole. */
  readonly wire: Readonly<Record<string, unknown>> | null;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly efficiency: EfficiencyReport;
  /** When the answer was whole, by this process's clock; a repeat says the first call's. */
  readonly completedAtMs: number;
};

/** How a paid call ended well: what it made, what it cost, what is left. */
export type Paid<Outcome> = {
  /** The first call's id where this is a repeat. */
  readonly requestId: string;
  readonly replayed: boolean;
  readonly outcome: Outcome;
  readonly creditsCharged: Credits;
  readonly balance: ShortBalance;
  /** Of a repeat too, which does not count. */
  readonly rate: RateState;
};
