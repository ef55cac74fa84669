/**
 * How fast models answer, as far as replies in one piece have shown: those that are asked for in one piece must be whole
 * before their first byte is due, and how many tokens that is differs a hundredfold between servers.
 */
export type AnswerPace = {
  /** The longest answer of a model, in tokens, that may be asked for in one piece. */
  tokensInOnePiece(model: string): number;
  /** An answer of so many tokens was whole after this time. */
  learn(model: string, tokens: number, elapsedMs: number): void;
  /** One that was asked for in one piece did not come in time. */
  learnTimeout(model: string): void;
};

/** Until more is known: a good provider's models write as much, and the first longer answer shows those that do not. */
const UNKNOWN_TOKENS_PER_SECOND = 103;
/** What is longer is worth a stream, whose cost it hardly feels. */
const MOST_TOKENS = 8_192;
/** Of the time that a first byte may take; the rest is for a prompt that is longer, and for an hour that is busier. */
const USED_SHARE = 2 / 3;
/** The time of a shorter answer is mostly what every call takes, more or less: it shows nothing of the model. */
const TELLING_TOKENS = 64;
/** What every call takes before its model writes anything, even where both stand side by side. */
const CALL_MS = 100;
/** A slow answer counts at once, since the next one would not come; faster ones only little by little. */
const RISE_SHARE = 1 / 4;

export function createAnswerPace({ firstByteMs }: { readonly firstByteMs: number }): AnswerPace {
  /** Tokens a second. Bounded by the catalog, whose models alone are learned. */
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
