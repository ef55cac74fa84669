import type { Usage } from "../../catalog/index.ts";
import { countedTokens } from "../../efficiency/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { QuotedChat } from "../chat-call.ts";
import type { TargetBatches } from "../targets/chat-targets.ts";
import type { ChatAnswer } from "./chat-answer.ts";
import type { ThinkingPace } from "./thinking-pace.ts";

type CallThinkingInput = {
  readonly pace: ThinkingPace;
  readonly clock: Clock;
  readonly chat: QuotedChat;
  readonly answer: ChatAnswer;
  readonly targets: Pick<TargetBatches, "target" | "answeredMs">;
  /** It comes in one piece, so its headers say nothing: `answeredMs` is when it was asked for. */
  readonly isWhole: boolean;
};

/** The time in which one call's model may have thought unseen. */
export class CallThinking {
  readonly #input: CallThinkingInput;
  readonly #mayThink: boolean;
  /** When the first of the answer was seen. */
  #seenMs: number | null = null;

  constructor(input: CallThinkingInput) {
    this.#input = input;
    this.#mayThink = input.chat.call.model.capabilities.includes("reasoning");
  }

  /** Called whenever some of the answer was seen. */
  saw(): void {
    this.#seenMs ??= this.#input.clock.elapsedMs();
  }

  /** Tokens thought so far that nobody saw; null if the answer must be read to its end to know. */
  unseenTokens(): number | null {
    const { pace, targets, chat } = this.#input;
    const silentMs = this.#silentMs();
    // Before the headers nobody knows what the time was spent on. An answer that is made in this process has none.
    if (silentMs === null) return 0;
    const tokens = pace.unseenTokens(targets.target, { silentMs, mayThink: this.#mayThink });
    return tokens === null ? null : tokens * chat.n;
  }

  /** Learns from single answers alone: several think at once. */
  finished(usage: Usage): void {
    const { pace, chat, answer, isWhole } = this.#input;
    const silentMs = this.#silentMs();
    const isReported = answer.finish?.usage?.outputTokens === usage.outputTokens;
    if (silentMs === null || chat.n > 1 || !isReported) return;
    const writtenTokens = () => countedTokens(answer.written);
    pace.learn(answer.target, { usage, silentMs, isWhole, mayThink: this.#mayThink, writtenTokens });
  }

  #silentMs(): number | null {
    const { answeredMs } = this.#input.targets;
    return answeredMs === null ? null : (this.#seenMs ?? this.#input.clock.elapsedMs()) - answeredMs;
  }
}
