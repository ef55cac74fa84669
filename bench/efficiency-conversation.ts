import { type CompactionLevel, compact } from "../compaction/src/index.ts";
import type { ChatMessage } from "../gateway/src/contract/index.ts";
import type { Conversation } from "./efficiency-corpus.ts";
import { neutralOf } from "./efficiency-neutral.ts";
import { type Failures, failuresOf } from "./efficiency-proofs.ts";
import { exactTokens } from "./exact-tokens.ts";

export type Measured = {
  readonly source: string;
  readonly group: string;
  readonly tokens: number;
  readonly estimatedTokens: number;
  /** Paid for input over all turns, in units of the price of an uncached token. */
  readonly cost: number;
  readonly safe: Shortened;
  readonly structural: Shortened;
};

export type Shortened = {
  readonly tokens: number;
  readonly estimatedTokens: number;
  readonly cost: number;
  readonly failures: Failures;
  /** Messages that grew. */
  readonly larger: number;
};

/** Relative price of a token in a prefix that the provider has cached. */
const CACHED_PRICE = 0.1;

export function measure({ source, group, messages }: Conversation): Measured {
  const neutral = messages.map(neutralOf);
  const tokens = neutral.map(countMessage);
  const shorten = (level: CompactionLevel): Shortened => {
    const compaction = compact(neutral, { level, references: true });
    const shown = compaction.messages.map((message, at) =>
      message === neutral[at] ? (tokens[at] ?? 0) : countMessage(message),
    );
    return {
      tokens: sum(shown),
      estimatedTokens: compaction.compactedTokens,
      cost: costOf(neutral, shown),
      failures: failuresOf(neutral, compaction, level),
      larger: shown.filter((count, at) => count > (tokens[at] ?? 0)).length,
    };
  };
  const { originalTokens } = compact(neutral, { level: "off", references: true });
  return {
    source,
    group,
    tokens: sum(tokens),
    estimatedTokens: originalTokens,
    cost: costOf(neutral, tokens),
    safe: shorten("safe"),
    structural: shorten("structural"),
  };
}

export function countMessage(message: ChatMessage): number {
  let tokens = 0;
  if (typeof message.content === "string") tokens += exactTokens(message.content);
  if (message.role !== "assistant") return tokens;
  for (const call of message.toolCalls ?? []) tokens += exactTokens(call.name) + exactTokens(call.arguments);
  return tokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Before every answer everything before it is sent: what was sent the last time is cached by now. */
function costOf(messages: readonly ChatMessage[], tokens: readonly number[]): number {
  let cost = 0;
  let cached = 0;
  let sent = 0;
  for (const [at, message] of messages.entries()) {
    if (message.role === "assistant" && at > 0 && sent > cached) {
      cost += cached * CACHED_PRICE + sent - cached;
      cached = sent;
    }
    sent += tokens[at] ?? 0;
  }
  return cost;
}
