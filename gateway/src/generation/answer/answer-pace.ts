/**
 * How fast models answer, learned from single replies: a non-streamed reply must be complete before its first byte is
 * due, and how many tokens fit into that time differs a hundredfold between servers.
 */
export type AnswerPace = {
  /** The longest answer, in tokens, that may be requested without streaming. */
  tokensInOnePiece(model: string): number;
  /** Records that an answer of this many tokens was complete after this time. */
  learn(model: string, tokens: number, elapsedMs: number): void;
  /** Records that a non-streamed answer did not arrive in time. */
  learnTimeout(model: string): void;
};

/**
 * Assumed until something is learned: models of good providers are this fast, and the first longer answer of a slower
 * one corrects it.
 */
const UNKNOWN_TOKENS_PER_SECOND = 103;
/** Longer answers are streamed: compared with their length, the cost of streaming is small. */
const MOST_TOKENS = 8_192;
/** The share of the first-byte limit that is used; the rest is a margin for longer prompts and busier hours. */
const USED_SHARE = 2 / 3;
/** Shorter answers are not learned from: their time is mostly the fixed overhead of a call. */
const TELLING_TOKENS = 64;
/** Overhead of every call before the model writes anything, even within one data centre. */
const CALL_MS = 100;
/** A slower answer counts fully at once, since the next one would time out; faster ones count gradually. */
const RISE_SHARE = 1 / 4;

export function createAnswerPace({ firstByteMs }: { readonly firstByteMs: number }): AnswerPace {
  /** Tokens per second. Bounded, since only models of the catalog are learned. */
  const paces = new Map<string, number>();
  const paceOf = (model: string) => paces.get(model) ?? UNKNOWN_TOKENS_PER_SECOND;

  return {
    tokensInOnePiece(model) {
      return Math.min(MOST_TOKENS, Math.floor(paceOf(model) * (firstByteMs / 1_000) * USED_SHARE));
    },
    learn(model, tokens, elapsedMs) {
      if (tokens < TELLING_TOKENS) return;
      const known = paceOf(model);
      const seen = (tokens * 1_000) / Math.max(1, elapsedMs - CALL_MS);
      paces.set(model, seen > known ? known + (seen - known) * RISE_SHARE : seen);
    },
    learnTimeout: (model) => void paces.set(model, 0),
  };
}
