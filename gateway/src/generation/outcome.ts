import type { Usage } from "../catalog/index.ts";
import type { FinishReason, ReasoningPart, ToolCall } from "../contract/index.ts";
import type { Credits, RateState } from "../kit/index.ts";

/** The balance after a settlement, holds excluded. */
type ShortBalance = { readonly subscription: Credits; readonly anytime: Credits };

/** The numbers of the efficiency layer; each wire renders them under its own names. */
export type EfficiencyReport = {
  readonly originalEstimatedTokens: number;
  readonly compactedEstimatedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};

/**
 * A block of an answer: a number of characters of its text or its refusal, its next reasoning part, or the tool call
 * with this index.
 */
export type AnswerBlock = number | "thought" | { readonly refusal: number } | { readonly call: number };

/**
 * How much reasoning came before a tool call started. The call's id carries that reasoning where the id is all that
 * clients send back.
 */
export type CallBeginning = { readonly characters: number; readonly signatures: number };

/** One complete answer; a call may have asked for several. */
export type WholeAnswer = {
  readonly content: string;
  readonly refusal: string;
  readonly reasoning: readonly ReasoningPart[];
  readonly toolCalls: readonly ToolCall[];
  readonly logprobs: readonly unknown[];
  /** The citations of its text. Absent if there are none. */
  readonly annotations?: readonly unknown[];
  /** Absent for the usual order: reasoning, text, refusal, tool calls. */
  readonly order?: readonly AnswerBlock[];
  /** One entry per tool call. Absent if every call started where its arguments did. */
  readonly begun?: readonly CallBeginning[];
  readonly finishReason: FinishReason;
};

/** A finished chat call without its cost: what is stored for an idempotent repeat. */
export type ChatOutcome = {
  readonly model: string;
  /** Empty if the reply came in the caller's own wire; see `wire`. */
  readonly answers: readonly WholeAnswer[];
  /**
   * The reply in the caller's own wire, if the provider speaks that wire and the whole reply was wanted; else null.
   */
  readonly wire: Readonly<Record<string, unknown>> | null;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly efficiency: EfficiencyReport;
  /** When the answer was complete, by this process's clock; a repeat has the time of the first call. */
  readonly completedAtMs: number;
};

/** The result of a successful paid call: what it made, what it cost, what is left. */
export type Paid<Outcome> = {
  /** For a repeat, the id of the first call. */
  readonly requestId: string;
  readonly replayed: boolean;
  readonly outcome: Outcome;
  readonly creditsCharged: Credits;
  readonly balance: ShortBalance;
  /** Also set for a repeat, which does not count against the limit. */
  readonly rate: RateState;
  /** The output limit in place of the caller's, if that could not be paid for. */
  readonly maxTokensGranted?: number | undefined;
};
