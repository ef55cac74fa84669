import { estimateTokens, rareTokens } from "../../../../compaction/src/index.ts";
import type { PromptEstimate } from "../token-correction/token-correction.ts";
import type { Attached } from "./attachment-tokens.ts";
import type { SentInput } from "./sent-input.ts";

type Counted = {
  readonly estimate: PromptEstimate;
  /** A lower bound by its rare characters, which an estimate for common text may underestimate. */
  readonly ofRareLetters: number;
  readonly attached: Attached;
  /** The model's bound for everything attached, which is held for. */
  readonly mostAttachedTokens: number;
  /** The part of it that is audio. */
  readonly mostAudioTokens: number;
  /** True if there are no attachments, and nothing in the wire beyond what we count. */
  readonly isTextAlone: boolean;
  readonly sent: SentInput | null;
};

/**
 * Our own count of a call's input, independent of any report: charged if the provider reports no usage, and used to
 * check the report if it does. A provider may receive less than the prompt or more; what depends on that is a method,
 * to be called after the call.
 */
export class InputCount {
  constructor(readonly counted: Counted) {}

  tokensAsSent(): number {
    return this.textTokensAsSent() + this.counted.attached.tokens;
  }

  /** Without attachments: what those count as differs tenfold between providers. */
  textTokensAsSent(): number {
    const { estimate, ofRareLetters, sent } = this.counted;
    if (sent === null) return Math.max(estimate.tokens, ofRareLetters);
    const seen = estimate.tokens - sent.unsentTokens(estimateTokens);
    const rare = ofRareLetters - sent.unsentTokens(rareTokens);
    return Math.max(seen, rare) + sent.unseenTokens();
  }

  /**
   * The estimate to compare with the provider's count, to learn from; null if the provider counts more than this
   * text, or less.
   */
  learnableAsSent(): PromptEstimate | null {
    const { estimate, isTextAlone, sent } = this.counted;
    if (!isTextAlone) return null;
    return sent === null || sent.unsentTokens(estimateTokens) === 0 ? estimate : null;
  }
}
