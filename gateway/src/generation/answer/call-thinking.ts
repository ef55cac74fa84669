import { countedTokens } from "../../../../compaction/src/index.ts";
import type { Usage } from "../../catalog/index.ts";
import type { ChatEvent } from "../../contract/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { QuotedChat } from "../chat-call.ts";
import { isThinkingOff } from "../prompt/reasoning-bound.ts";
import type { ChatAnswer } from "./chat-answer.ts";
import type { ThinkingPace } from "./thinking-pace.ts";

/** A smaller difference between the provider's count and ours is none. */
const LEAST_TOKENS = 64;

/** The thinking of one call that nobody sees. */
export class CallThinking {
  /** When the first of the answer was seen, and how much reasoning had been written by then. */
  #seen: { readonly atMs: number; readonly thoughtCharacters: number } | null = null;

  constructor(
    readonly deps: { readonly thinking: ThinkingPace; readonly clock: Clock },
    readonly chat: QuotedChat,
    /** The target, and when its headers came. */
    readonly asked: { readonly target: string; readonly answeredMs: number | null },
  ) {}

  /** Called with each event that wrote something, and the characters written before it. */
  saw(event: ChatEvent, charactersBefore: number): void {
    if (this.#seen !== null || isReasoning(event)) return;
    this.#seen = { atMs: this.deps.clock.elapsedMs(), thoughtCharacters: charactersBefore };
  }

  /**
   * Tokens so far; null if the answer must be read to its end to know. Before the headers nobody knows what the time was
   * spent on, and what is made for tests shows all its thinking.
   */
  unseenTokens(answer: ChatAnswer): number | null {
    const silentMs = this.#silentMs();
    if (silentMs === null) return 0;
    const { n } = this.chat;
    const of = { silentMs, shownTokens: this.#shownTokens(answer) / n, mayThink: this.#mayThink };
    const tokens = this.deps.thinking.unseenTokens(this.#learnedAs(this.asked.target), of);
    return tokens === null ? null : Math.round(tokens * n);
  }

  /**
   * Some providers show their thinking, some a summary, and some do not count it apart from the rest of the output.
   * Learns from single answers alone, since several think at once, and not from replies in one piece, of whose time
   * only a part was thinking.
   */
  finished(answer: ChatAnswer, { outputTokens, reasoningTokens }: Usage): void {
    const silentMs = this.#silentMs();
    if (silentMs === null || this.#seen === null || this.chat.n > 1) return;
    if (answer.finish?.usage?.outputTokens !== outputTokens) return;
    const reported = reasoningTokens || (this.#mayThink ? outputTokens : 0);
    const hidden = reported === 0 ? 0 : Math.min(reported, outputTokens - countedTokens(answer.written));
    const shownTokens = this.#shownTokens(answer);
    const isHidden = hidden >= Math.max(LEAST_TOKENS, reported / 2);
    const isShown = !isHidden && shownTokens > 0 && shownTokens >= reasoningTokens / 2;
    // Too little to tell: it must not pass for a target's way of thinking.
    if (reasoningTokens > 0 && !isHidden && !isShown) return;
    const thoughtTokens = isHidden ? Math.min(reported, hidden + shownTokens) : shownTokens;
    this.deps.thinking.learn(this.#learnedAs(answer.target), { thoughtTokens, silentMs, isShown });
  }

  get #mayThink(): boolean {
    return this.chat.call.model.capabilities.includes("reasoning") && !this.#isOff;
  }

  get #isOff(): boolean {
    return isThinkingOff(this.chat.call.model, this.chat.call.prompt);
  }

  /** Calls that have thinking switched off are learned apart: some servers think all the same. */
  #learnedAs(target: string): string {
    return this.#isOff ? `${target} (off)` : target;
  }

  /** Before the first word all that was written is reasoning. */
  #shownTokens(answer: ChatAnswer): number {
    const characters = this.#seen?.thoughtCharacters ?? answer.characters;
    return characters === 0 ? 0 : countedTokens(answer.written.slice(0, characters));
  }

  #silentMs(): number | null {
    const { answeredMs } = this.asked;
    return answeredMs === null || this.chat.call.model.isTest
      ? null
      : (this.#seen?.atMs ?? this.deps.clock.elapsedMs()) - answeredMs;
  }
}

function isReasoning(event: ChatEvent): boolean {
  if (event.type !== "wire") return event.type === "reasoning";
  return event.isReasoning === true || event.event?.startsWith("response.reasoning") === true;
}
