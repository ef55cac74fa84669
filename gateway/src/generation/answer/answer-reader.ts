import type { Registry } from "../../contract/index.ts";
import {
  type ChatEvent,
  type ChatRequest,
  endlessAnswer,
  ProviderFailure,
  type ReportedInput,
} from "../../contract/index.ts";
import { type AppError, assert, Stopped } from "../../kit/index.ts";
import type { Breaker } from "../../outbound/index.ts";
import type { QuotedChat } from "../chat-call.ts";
import { isInputKnown, type PricingDeps, priceDelivered, priceFinished } from "../chat-price.ts";
import type { ChatOutcome, Paid } from "../outcome.ts";
import { contentError, failureError } from "../paid-call/failure.ts";
import type { Charge, StartedCall } from "../paid-call/paid-call.ts";
import type { Produced } from "../paid-call/produced.ts";
import type { AnswerReading } from "../prompt/chat-request.ts";
import { chatFromTargets, type TargetBatch, type TargetBatches } from "../targets/chat-targets.ts";
import { CallThinking } from "./call-thinking.ts";
import { type ChatAnswer, createChatAnswer, firstOf, unread } from "./chat-answer.ts";
import { createOverspendGuard } from "./overspend-guard.ts";
import type { ThinkingPace } from "./thinking-pace.ts";

/** What a reader gets: the provider's events as they arrive, `finish` included, then how the call ended. */
export type ChatStreamPart =
  | { readonly type: "events"; readonly events: readonly ChatEvent[] }
  | { readonly type: "done"; readonly paid: Paid<ChatOutcome> }
  | { readonly type: "error"; readonly error: AppError; readonly charge?: Charge };

export type ReadingDeps = PricingDeps & {
  readonly registry: Registry;
  readonly breaker: Breaker;
  readonly thinking: ThinkingPace;
};

/**
 * The state of reading an answer. Every path ends in `over`, and the state it comes from decides what is charged:
 *
 * | from     | when                                             | to       | the part returned, and the charge        |
 * | -------- | ------------------------------------------------ | -------- | ---------------------------------------- |
 * | reading  | a batch arrives                                  |          | the batch                                |
 * | reading  | · and contains `finish`                          | whole    | the batch                                |
 * | reading  | · and the answer exceeds its limit               | cut      | the batch up to the limit                |
 * | reading  | the client disconnects and nobody needs the rest | left     |                                          |
 * | reading  | · but only the usage is still missing            |          |                                          |
 * | reading  | · after some content, with unknown input size    | counting |                                          |
 * | reading  | our time or size bound is reached after content  | over     | done: what was delivered                 |
 * | reading  | · but a `reply` cannot be made of a partial wire | over     | error: nothing                           |
 * | reading  | the provider stops after some content, for it    | over     | error: what was delivered                |
 * | reading  | the provider fails, or the call is stopped       | over     | error: nothing                           |
 * | reading  | · but the client left a stream after content     | over     | none: what was delivered before          |
 * | counting | a batch reports the input size                   | over     | none: that input, and what was delivered |
 * | counting | the answer ends or gets too long, or a failure   | over     | none: what was delivered                 |
 * | whole    | the next part is requested                       | over     | done: what the provider reported         |
 * | cut      | the next part is requested                       | over     | done: what was delivered                 |
 * | cut      | · but a `reply` cannot be made of a partial wire | over     | error: nothing                           |
 * | left     | anything, even a batch                           | over     | none: what was delivered before          |
 *
 * A disconnect after `whole` or `cut` changes no charge; we only stop waiting for the provider to close.
 */
type State = "reading" | "counting" | "whole" | "cut" | "left" | "over";

/** Reads one answer part by part and decides after each whether the call goes on or how it ends. */
export class AnswerReader {
  readonly #deps: ReadingDeps;
  readonly #chat: QuotedChat;
  readonly #started: StartedCall<ChatOutcome>;
  readonly #reading: AnswerReading;
  readonly #answer: ChatAnswer;
  readonly #isOverspent: (answer: ChatAnswer) => boolean;
  readonly #mostTokens: number;
  /** What arrives in state `counting`, and the guard that bounds it. */
  #unread: { readonly answer: ChatAnswer; readonly isOverspent: (answer: ChatAnswer) => boolean } | null =
    null;
  readonly #targets: TargetBatches;
  readonly #provider: StoppableBatches;
  #state: State = "reading";
  readonly #thinking: CallThinking;
  /** Thinking to be paid for although nobody saw it. */
  #unseenTokens = 0;
  /** What had been written when the client of a stream disconnected. */
  #leftCharacters = 0;

  constructor(input: {
    deps: ReadingDeps;
    chat: QuotedChat;
    started: StartedCall<ChatOutcome>;
    request: ChatRequest;
    reading: AnswerReading;
  }) {
    const { deps, chat, started, request, reading } = input;
    const { registry, breaker, clock } = deps;
    const { requestId, model, principal } = chat.call;
    const orgId = principal.organization.id;
    this.#deps = deps;
    this.#chat = chat;
    this.#started = started;
    this.#reading = reading;
    this.#answer = createChatAnswer({ keepsChunks: reading !== "stream" });
    // The limit applies to each answer, the guard to all of them together.
    this.#mostTokens = chat.outputTokensHeld(started.granted, request) * chat.n;
    this.#isOverspent = createOverspendGuard(this.#mostTokens);
    this.#targets = chatFromTargets({ registry, breaker, clock, model, request, requestId, orgId }, started);
    this.#thinking = new CallThinking(deps, chat, this.#targets);
    this.#provider = new StoppableBatches(this.#targets, started);
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** The next part; null after the end. Never rejects. Reads from the provider only on demand. */
  async next(): Promise<ChatStreamPart | null> {
    if (this.isOver) return null;
    try {
      if (this.#state === "whole") return await this.#finish();
      if (this.#state === "cut") return await this.#cutShort(wroteOn());
      const batch = await this.#provider.next();
      assert(batch, "an answer ends with finish or by throwing");
      // What arrives after the client disconnected is not delivered, so it is not charged.
      if (this.#state === "left") return await this.#settleDelivered();
      if (this.#state === "counting") return await this.#count(batch);
      return { type: "events", events: this.#take(batch) };
    } catch (error) {
      // Already over, so the settlement failed: its own error says what is known.
      if (this.isOver) return { type: "error", error: failureError(error) };
      return this.#endAfter(error).catch((settling: unknown) => ({
        type: "error",
        error: failureError(settling),
      }));
    }
  }

  /**
   * The client disconnected: the next part is the last, and what was delivered is charged. Exceptions, which are read
   * to their end: answers that are kept for a repeat, and providers that bill the whole answer anyway. If only the
   * provider can say how large an attachment was, reading continues until it does; otherwise a client that
   * disconnects just before the end would have had a whole book read and pay for a page. An answer that is complete
   * except for its usage is also read on: it was delivered, and its reasoning is paid for. So is one whose model may
   * have thought unseen, until it is known how fast it does; from then on the thinking that ran is charged.
   */
  leave(): void {
    // A call that was already stopped by a drain or a lost lease stays so.
    if (this.#started.stopped !== null) return;
    if (this.#reading === "kept_stream") return;
    this.#targets.leave();
    const unseenTokens = this.#state === "reading" ? this.#thinking.unseenTokens(this.#answer) : 0;
    this.#unseenTokens = unseenTokens ?? 0;
    if (this.#reading === "stream") this.#leftCharacters = this.#answer.characters;
    if (this.#targets.onDisconnect === "drain" || this.#targets.isEnding) return;
    // Of a reply nothing was delivered that could be had for less.
    if (unseenTokens === null && this.#reading !== "reply") return;
    if (this.#state === "reading" && this.#answer.characters > 0 && !this.#isInputKnown()) {
      this.#state = "counting";
      return;
    }
    if (this.#state === "reading") this.#state = "left";
    this.#started.stop();
  }

  /**
   * The events to deliver and charge: the whole batch or, if it exceeds the limit, the events up to there. If nothing
   * but the end follows, the answer counts as complete.
   */
  #take({ target, events }: TargetBatch): readonly ChatEvent[] {
    let taken = 0;
    for (const event of events) {
      const { characters } = this.#answer;
      this.#answer.take(target, event);
      if (this.#answer.characters > characters) this.#thinking.saw(event, characters);
      taken++;
      if (event.type === "finish") this.#state = "whole";
      else if (this.#isOverspent(this.#answer) && !isEnd(events.slice(taken))) {
        this.#state = "cut";
        return events.slice(0, taken);
      }
    }
    return events;
  }

  /** Nobody reads these events: they matter only for the input count that they report. */
  async #count({ target, events }: TargetBatch): Promise<ChatStreamPart | null> {
    this.#unread ??= {
      answer: createChatAnswer({ keepsChunks: false }),
      isOverspent: createOverspendGuard(this.#mostTokens),
    };
    const { answer, isOverspent } = this.#unread;
    for (const event of events) {
      answer.take(target, event);
      const usage = inputIn(event);
      if (usage !== null) this.#answer.take(target, { type: "input", usage });
    }
    const isEnough = this.#isInputKnown() || answer.finish !== null || isOverspent(answer);
    return isEnough ? this.#settleDelivered() : { type: "events", events: [] };
  }

  async #finish(): Promise<ChatStreamPart> {
    // The answer is complete: an error while the provider closes the stream changes nothing.
    await this.#provider.next().catch(() => this.#provider.stop());
    this.#state = "over";
    const produced = priceFinished(this.#deps, this.#chat, this.#answer);
    this.#thinking.finished(this.#answer, produced.outcome.usage);
    return { type: "done", paid: await this.#started.succeed(produced) };
  }

  /** We cut the answer after some content: what was delivered is charged, and the call succeeds. */
  async #cutShort(why: Stopped | ProviderFailure): Promise<ChatStreamPart> {
    this.#unseenTokens = this.#thinking.unseenTokens(this.#answer) ?? 0;
    this.#close();
    // A partial wire response cannot be turned into a reply: whoever waits for one would pay for nothing.
    if (this.#reading === "reply" && this.#answer.isWire && this.#answer.wire("length") === null)
      return { type: "error", error: await this.#started.fail(why) };
    return { type: "done", paid: await this.#started.succeed({ ...this.#delivered(), isCut: true }) };
  }

  /** The client disconnected: what was delivered is charged, and nobody gets a reply. */
  async #settleDelivered(
    answer = this.#reading === "reply" ? unread(this.#answer) : this.#answer,
  ): Promise<null> {
    this.#close();
    await this.#started.leave(this.#delivered(answer));
    return null;
  }

  /** The provider failed, or the call was stopped. */
  async #endAfter(error: unknown): Promise<ChatStreamPart | null> {
    if (this.#state === "left" || this.#state === "counting") return this.#settleDelivered();
    const hasContent = this.#answer.characters > 0;
    if (isOwnCut(error) && hasContent) return this.#cutShort(error);
    if (this.#leftCharacters > 0 && error instanceof ProviderFailure) {
      return this.#settleDelivered(firstOf(this.#answer, this.#leftCharacters));
    }
    this.#close();
    // Whoever waits for a whole reply has got nothing of it.
    if (isContentStop(error) && hasContent && this.#reading !== "reply")
      return this.#breakOff(contentError(error));
    return { type: "error", error: await this.#started.fail(error) };
  }

  /** What the model thought before it was stopped cannot be asked for any more, so it may be unknown. */
  async #breakOff(error: AppError): Promise<ChatStreamPart> {
    this.#unseenTokens = this.#thinking.unseenTokens(this.#answer) ?? 0;
    return { type: "error", error, charge: await this.#started.leave(this.#delivered(), error) };
  }

  #close(): void {
    this.#state = "over";
    this.#provider.stop();
  }

  #isInputKnown(): boolean {
    return isInputKnown(this.#chat, this.#answer);
  }

  #delivered(answer = this.#answer): Produced<ChatOutcome> {
    const thinking = { unseenTokens: this.#unseenTokens, mostTokens: this.#mostTokens };
    return priceDelivered(this.#deps, this.#chat, answer, thinking);
  }
}

/**
 * Time and size are our own bounds: the provider has not failed, and the caller could have asked for a shorter
 * answer.
 */
function isOwnCut(error: unknown): error is Stopped | ProviderFailure {
  if (error instanceof Stopped) return error.reason === "deadline";
  return error instanceof ProviderFailure && error.detail.isExcess === true;
}

function isContentStop(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && error.detail.isContent === true;
}

function inputIn(event: ChatEvent): ReportedInput | null {
  if (event.type === "input") return event.usage;
  if (event.type !== "finish" || event.usage === null) return null;
  const { outputTokens: _output, reasoningTokens: _reasoning, ...input } = event.usage;
  return input;
}

/** True if these events end the answer and add no content. */
function isEnd(events: readonly ChatEvent[]): boolean {
  const writesNothing = (event: ChatEvent) =>
    event.type === "finish" || event.type === "input" || (event.type === "wire" && event.written === "");
  return events.at(-1)?.type === "finish" && events.every(writesNothing);
}

/**
 * The provider's batches, until the call is stopped: then it rejects with the reason, whether or not the provider
 * reacts.
 */
class StoppableBatches {
  readonly #batches: TargetBatches;
  readonly #started: StartedCall<ChatOutcome>;
  #interrupt: ((stopped: Stopped) => void) | null = null;

  constructor(batches: TargetBatches, started: StartedCall<ChatOutcome>) {
    this.#batches = batches;
    this.#started = started;
    started.onStop((stopped) => {
      batches.abort(stopped);
      this.#interrupt?.(stopped);
    });
  }

  /** Undefined after the last one. */
  next(): Promise<TargetBatch | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#started.stopped !== null) return reject(this.#started.stopped);
      this.#interrupt = reject;
      this.#batches.next().then(resolve, reject);
    });
  }

  /** Not awaited: a provider that hangs must not delay the end of the call. */
  stop(): void {
    this.#started.stop();
    this.#batches.return().catch(() => {});
  }
}

function wroteOn(): ProviderFailure {
  return endlessAnswer("an answer that goes on past its limit", { reason: "cut_by_limit" });
}
