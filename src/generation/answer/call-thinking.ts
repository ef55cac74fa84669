import type { Usage } from "../../catalog/index.ts";
import { countedTokens } from "../../efficiency/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { QuotedChat } from "../chat-call.ts";
import type { ChatAnswer } from "./chat-answer.ts";
import type { ThinkingPace } from "./thinking-pace.ts";

/** A smaller difference between the provider's count and ours is none. */
const LEAST_TOKENS = 64;

/** The thinking of one call that nobody sees. */
export class CallThinking {
  /** When the first of the answer was seen. */
  #seenMs: number | null = null;

  constructor(
    readonly deps: { readonly thinking: ThinkingPace; readonly clock: Clock },
    readonly chat: QuotedChat,
    /** The target, and when its headers came; for a reply in one piece, when it was asked for. */
    readonly asked: { readonly target: string; readonly answeredMs: number | null },
  ) {}

  /** Called whenever some of the answer was seen. */
  saw(): void {
    this.#seenMs ??= this.deps.clock.elapsedMs();
  }

  /**
   * Tokens so far; null if the answer must be read to its end to know. Before the headers nobody knows what the time was
   * spent on, and an answer that is made in this process has none.
   */
  unseenTokens(): number | null {
    const silentMs = this.#silentMs();
    if (silentMs === null) return 0;
    const tokens = this.deps.thinking.unseenTokens(this.asked.target, silentMs, this.#mayThink);
    return tokens === null ? null : tokens * this.chat.n;
  }

  /**
   * Some providers show their thinking, some a summary, and some do not count it apart from the rest of the output.
   * Learns from single answers alone, since several think at once.
   */
  finished(answer: ChatAnswer, { outputTokens, reasoningTokens }: Usage): void {
    const silentMs = this.#silentMs();
    if (silentMs === null || this.chat.n > 1 || answer.finish?.usage?.outputTokens !== outputTokens) return;
    const thoughtTokens = reasoningTokens || (this.#mayThink ? outputTokens : 0);
    const shownTokens = thoughtTokens === 0 ? 0 : countedTokens(answer.written);
    const hidden = Math.min(thoughtTokens, outputTokens - shownTokens);
    const unseenTokens = hidden >= Math.max(LEAST_TOKENS, thoughtTokens / 2) ? hidden : 0;
    const thinks = reasoningTokens > 0 || unseenTokens > 0;
    // Of a reply in one piece nothing was seen before all of it, and only part of its time was thinking.
    const share = this.#seenMs === null ? unseenTokens / outputTokens : 1;
    if (thinks || share === 1) {
      this.deps.thinking.learn(answer.target, { unseenTokens, silentMs: silentMs * share, thinks });
    }
  }

  get #mayThink(): boolean {
    return this.chat.call.model.capabilities.includes("reasoning");
  }

  #silentMs(): number | null {
    const { answeredMs } = this.asked;
    return answeredMs === null ? null : (this.#seenMs ?? this.deps.clock.elapsedMs()) - answeredMs;
  }
}
