import { estimateTokens, rareTokens } from "../../efficiency/index.ts";
import type { PromptEstimate } from "../token-correction/token-correction.ts";
import type { Attached } from "./attachment-tokens.ts";
import type { SentInput } from "./sent-input.ts";

type Counted = {
  readonly estimate: PromptEstimate;
  /** What its rare letters are at least, which an estimate of common text may miss. */
  readonly ofRareLetters: number;
  readonly attached: Attached;
  /** What is attached may be so many, by the model's bounds. */
  readonly mostAttachedTokens: number;
  readonly mostAudioTokens: number;
  /** Nothing is attached, and nothing goes along that we do not see. */
  readonly isTextAlone: boolean;
  readonly sent: SentInput | null;
};

/**
 * Our own count of a call's input, which no usage report changes. It is charged if the provider reports no usage, and
 * reports are compared with it. A provider may be sent less than the prompt or more, so what depends on the input that
 * was really sent is a method, to be called after the call.
 */
export class InputCount {
  /** How many of its tokens are of sound. */
  readonly audioTokens: number;
  /** How many more images and files may be, by the model's bounds, which are held for. */
  readonly unsureTokens: number;
  /** Files are attached of which nobody here can tell what they count as. */
  readonly hasUnsureFiles: boolean;
  /** Of these the part of files that are heard. */
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

  /** The part that is text: what images and files count as differs tenfold between providers. */
  textTokensAsSent(): number {
    const { estimate, ofRareLetters, sent } = this.#counted;
    if (sent === null) return Math.max(estimate.tokens, ofRareLetters);
    const seen = estimate.tokens - sent.unsentTokens(estimateTokens);
    const rare = ofRareLetters - sent.unsentTokens(rareTokens);
    return Math.max(seen, rare) + sent.unseenTokens();
  }

  /** What the provider's own count is held against, to learn from; null where it counts more than this text, or less. */
  learnableAsSent(): PromptEstimate | null {
    const { estimate, isTextAlone, sent } = this.#counted;
    if (!isTextAlone) return null;
    return sent === null || sent.unsentTokens(estimateTokens) === 0 ? estimate : null;
  }
}
