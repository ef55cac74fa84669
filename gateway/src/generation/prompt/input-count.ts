import { estimateTokens, rareTokens } from "../../../../compaction/src/index.ts";
import type { PromptEstimate } from "../token-correction/token-correction.ts";
import type { Attached } from "./attachment-tokens.ts";
import type { SentInput } from "./sent-input.ts";

type Counted = {
  readonly estimate: PromptEstimate;
  /** A lower bound by its rare characters, which an estimate for common text may underestimate. */
  readonly ofRareLetters: number;
  readonly attached: Attached;
  /** The model's bound for everything attached. */
  readonly mostAttachedTokens: number;
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
  /** The part of the tokens that is audio. */
  readonly audioTokens: number;
  /** How many more tokens the attachments may have, by the model's bounds, which are held for. */
  readonly unsureTokens: number;
  /** True if there are files whose tokens we cannot estimate. */
  readonly hasUnsureFiles: boolean;
  /** The part of `unsureTokens` that is audio. */
  readonly unsureAudioTokens: number;
  readonly #counted: Counted;

  constructor(counted: Counted) {
    const { attached, mostAttachedTokens, mostAudioTokens } = counted;
    this.audioTokens = attached.audioTokens;
    this.unsureTokens = mostAttachedTokens - attached.tokens;
    this.hasUnsureFiles = attached.hasUnsureFiles;
    this.unsureAudioTokens = mostAudioTokens - attached.audioTokens;
    this.#counted = counted;
  }

  tokensAsSent(): number {
    return this.textTokensAsSent() + this.#counted.attached.tokens;
  }

  /** Without attachments: what those count as differs tenfold between providers. */
  textTokensAsSent(): number {
    const { estimate, ofRareLetters, sent } = this.#counted;
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
    const { estimate, isTextAlone, sent } = this.#counted;
    if (!isTextAlone) return null;
    return sent === null || sent.unsentTokens(estimateTokens) === 0 ? estimate : null;
  }
}
