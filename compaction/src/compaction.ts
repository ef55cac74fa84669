import type { ChatMessage } from "./message.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

export const COMPACTION_LEVELS = ["off", "safe", "structural"] as const;
export type CompactionLevel = (typeof COMPACTION_LEVELS)[number];

export type CompactionOptions = {
  readonly level: CompactionLevel;
  /** False if the provider may clear or compact the context itself: the target of a reference may be gone. */
  readonly references: boolean;
  /** True if tool results arrive in fenced blocks of user messages, on an interface without a tool role. */
  readonly fences?: boolean;
  /**
   * True for the index of a message whose text cannot be written back. It stays as it is, but others may refer to it.
   */
  readonly isFixed?: ((at: number) => boolean) | undefined;
  /**
   * True for the index of a tool result whose text appears nowhere in the request as we have it. It stays as it is,
   * and nothing may refer to it.
   */
  readonly isPutTogether?: ((at: number) => boolean) | undefined;
  /** The steps that may be taken; by default all of the level. Marks are always escaped. */
  readonly steps?: readonly Action[];
  /** May remember the counts of earlier texts; by default each text is estimated again. */
  readonly count?: TokenCount;
};

/** The steps, by their names in replies. */
export const STEPS = [
  "gutter_padding",
  "json_whitespace",
  "terminal_codes",
  "block_references",
  "duplicate_messages",
  "json_tables",
  "line_numbers",
  "alike_lines",
  "escaped_marks",
] as const;
export type Action = (typeof STEPS)[number];

export type Compaction<Message extends ChatMessage> = {
  /** As many as before, in the same order; unchanged messages are the same objects. */
  readonly messages: readonly Message[];
  /** Indices of the changed messages. */
  readonly changed: readonly number[];
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly tokensSaved: number;
  /** The steps that changed something, each once, in alphabetical order. */
  readonly actions: readonly string[];
};

/**
 * The output must not change silently from one release to the next: each change costs every customer the provider's
 * cache once. Golden hashes in the tests tie this number to what the steps do.
 */
export const ALGORITHM_VERSION = 9;

/**
 * A message keeps its original form unless it gets shorter by at least this many tokens: a change must be worth its
 * risk.
 */
export const LEAST_GAIN_TOKENS = 8;
