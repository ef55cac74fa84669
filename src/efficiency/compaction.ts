import type { ChatMessage } from "../providers/index.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

export const COMPACTION_LEVELS = ["off", "safe", "structural"] as const;
export type CompactionLevel = (typeof COMPACTION_LEVELS)[number];

export type CompactionOptions = {
  readonly level: CompactionLevel;
  /** False where the provider itself clears or compacts context: what a reference points at may be gone. */
  readonly references: boolean;
  /** Tool results arrive in fences of user messages, as on an interface without a role for them. */
  readonly fences?: boolean;
  /** By their place: messages whose texts could not be changed where they came from. What they say may be named. */
  readonly isFixed?: ((at: number) => boolean) | undefined;
  /** By their place: tools' results whose texts as we have them stand nowhere. They stay, and nobody may name them. */
  readonly isPutTogether?: ((at: number) => boolean) | undefined;
  /** Who has counted such texts before may know; else each is estimated anew. */
  readonly count?: TokenCount;
};

/** The names of the steps, as replies say them. */
export type Action =
  | "gutter_padding"
  | "json_whitespace"
  | "terminal_codes"
  | "progress_lines"
  | "block_references"
  | "duplicate_messages"
  | "json_tables"
  | "line_numbers"
  | "alike_lines"
  | "repeated_lines"
  | "escaped_marks";

export type Compaction = {
  /** As many as before, in the same order; what did not change is the same object. */
  readonly messages: readonly ChatMessage[];
  /** Which of them changed. */
  readonly changed: readonly number[];
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly tokensSaved: number;
  /** The steps that changed something, each once, in the order of the alphabet. */
  readonly actions: readonly string[];
};

/**
 * What a message becomes must not change from one release to the next without notice: it costs every customer
 * the provider's cache once. Golden hashes hold this number to what the steps do.
 */
export const ALGORITHM_VERSION = 6;

/** A message keeps its original form unless it gets shorter by so many tokens: a change must be worth its risk. */
export const LEAST_GAIN_TOKENS = 8;
