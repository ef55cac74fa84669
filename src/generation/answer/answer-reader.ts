import { type AppError, assert, Stopped } from "../../kit/index.ts";
import {
  type Breaker,
  type ChatEvent,
  type ChatRequest,
  endlessAnswer,
  ProviderFailure,
  type Registry,
  type ReportedInput,
} from "../../providers/index.ts";
import type { QuotedChat } from "../chat-call.ts";
import { isInputKnown, type PricingDeps, priceDelivered, priceFinished } from "../chat-price.ts";
import type { ChatOutcome, Paid } from "../outcome.ts";
import { failureError } from "../paid-call/failure.ts";
import type { StartedCall } from "../paid-call/paid-call.ts";
import type { Produced } from "../paid-call/produced.ts";
import type { AnswerReading } from "../prompt/chat-request.ts";
import { chatFromTargets, type TargetBatch, type TargetBatches } from "../targets/chat-targets.ts";
import { type ChatAnswer, createChatAnswer } from "./chat-answer.ts";
import { createOverspendGuard } from "./overspend-guard.ts";

/** What a reader gets: what the provider sends as it arrives, `finish` included, then how the answer ended. */
export type ChatStreamPart =
  | { readonly type: "events"; readonly events: readonly ChatEvent[] }
  | { readonly type: "done"; readonly paid: Paid<ChatOutcome> }
  | { readonly type: "error"; readonly error: AppError };

export type ReadingDeps = PricingDeps & { readonly registry: Registry; readonly breaker: Breaker };

/**
 * How far the reading of an answer has got. Every path ends in `over`. The state before that decides the charge:
 *
 * | from     | when                                               | to       | the part given, and the charge      |
 * | -------- | -------------------------------------------------- | -------- | ----------------------------------- |
 * | reading  | a batch arrives                                    |          | the batch                           |
 * | reading  | · with `finish` in it                              | whole    | the batch                           |
 * | reading  | · and the total exceeds what was asked for         | cut      | the batch, up to that point         |
 * | reading  | the reader disconnects; nobody else wants the rest | left     |                                     |
 * | reading  | · when only the cost is still awaited              |          |                                     |
 * | reading  | · with a part delivered, and its input not known   | counting |                                     |
 * | reading  | after content, our own bound is met: time, size    | over     | done: what was delivered            |
 * | reading  | · no `reply` can be made of half a wire            | over     | error: nothing                      |
 * | reading  | the provider fails, or the call is stopped         | over     | error: nothing                      |
 * | counting | a batch arrives that says how much input was read  | over     | none: that, and what was delivered  |
 * | counting | it ends or goes too far, or its provider fails     | over     | none: what was delivered            |
 * | whole    | the next part is asked for                         | over     | done: what the provider reported    |
 * | cut      | the next part is asked for                         | over     | done: what was delivered            |
 * | cut      | · no `reply` can be made of half a wire            | over     | error: nothing                      |
 * | left     | anything comes next, even a batch                  | over     | none: what was delivered until then |
 *
 * Disconnecting after `whole` or `cut` does not change the charge; we only stop waiting for the provider to close.
 */
type State = "reading" | "counting" | "whole" | "cut" | "left" | "over";

/** Reads one answer part by part and decides, with each, whether the call goes on or how it ends. */
export class AnswerReader {
  readonly #deps: ReadingDeps;
  readonly #chat: QuotedChat;
  readonly #started: StartedCall<ChatOutcome>;
  readonly #reading: AnswerReading;
  readonly #answer: ChatAnswer;
  readonly #isOverspent: (answer: ChatAnswer) => boolean;
  readonly #mostTokens: number;
  /** What comes while it is only read on to be counted, and where that goes too far. */
  #unread: { readonly answer: ChatAnswer; readonly isOverspent: (answer: ChatAnswer) => boolean } | null =
    null;
  readonly #targets: TargetBatches;
  readonly #provider: StoppableBatches;
  #state: State = "reading";

  constructor(input: {
    deps: ReadingDeps;
    chat: QuotedChat;
    started: StartedCall<ChatOutcome>;
    request: ChatRequest;
    reading: AnswerReading;
  }) {
    const { deps, chat, started, request, reading } = input;
    const { registry, breaker } = deps;
    const { requestId, model } = chat.call;
    this.#deps = deps;
    this.#chat = chat;
    this.#started = started;
    this.#reading = reading;
    this.#answer = createChatAnswer({ keepsChunks: reading !== "stream" });
    // The limit is of each answer, and what is looked at is all of them.
    this.#mostTokens = chat.outputTokensHeld(started.granted, request) * chat.n;
    this.#isOverspent = createOverspendGuard(this.#mostTokens);
    this.#targets = chatFromTargets({ registry, breaker, model, request, requestId }, started);
    this.#provider = new StoppableBatches(this.#targets, started);
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** The next part; null after the end. Never rejects. Nothing is read from the provider before it is asked for. */
  async next(): Promise<ChatStreamPart | null> {
    if (this.isOver) return null;
    try {
      if (this.#state === "whole") return await this.#finish();
      if (this.#state === "cut") return await this.#cutShort(wroteOn());
      const batch = await this.#provider.next();
      assert(batch, "an answer ends with finish or by throwing");
      // What arrives after the reader left is nobody's: it is not delivered, so it is not charged.
      if (this.#state === "left") return await this.#settleDelivered();
      if (this.#state === "counting") return await this.#count(batch);
      return { type: "events", events: this.#take(batch) };
    } catch (error) {
      // Over already, so it was the settlement that failed: its own error says what is known.
      if (this.isOver) return { type: "error", error: failureError(error) };
      return this.#endAfter(error).catch((settling: unknown) => ({
        type: "error",
        error: failureError(settling),
      }));
    }
  }

  /**
   * The reader is gone: the next part is the last, and what was delivered is charged, unless the answer is kept or its
   * provider bills it anyway; those are to be read to their end. Where only its provider can say how large an
   * attachment was, it is read on until that is said: otherwise whoever leaves after the last word has had a whole book
   * read, and pays for a page. So is one that has said its end: that is an answer, and its thoughts are paid for.
   */
  leave(): void {
    // A call that a drain or a lost lease has ended stays ended so, whoever leaves afterwards.
    if (this.#started.stopped !== null) return;
    if (this.#reading === "kept_stream") return;
    this.#targets.leave();
    if (this.#targets.onDisconnect === "drain" || this.#targets.isEnding) return;
    if (this.#state === "reading" && this.#answer.characters > 0 && !this.#isInputKnown()) {
      this.#state = "counting";
      return;
    }
    if (this.#state === "reading") this.#state = "left";
    this.#started.stop();
  }

  /**
   * What goes on to the reader, and is charged: all of the batch, or of one that goes too far what came until then. An end
   * that follows at once is the end all the same.
   */
  #take({ target, events }: TargetBatch): readonly ChatEvent[] {
    let taken = 0;
    for (const event of events) {
      this.#answer.take(target, event);
      taken++;
      if (event.type === "finish") this.#state = "whole";
      else if (this.#isOverspent(this.#answer) && !isEnd(events.slice(taken))) {
        this.#state = "cut";
        return events.slice(0, taken);
      }
    }
    return events;
  }

  /** Of what nobody reads any more: only what it says of the input counts. */
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
    // The answer is whole: what goes wrong while its provider hangs up changes nothing.
    await this.#provider.next().catch(() => this.#provider.stop());
    this.#state = "over";
    const produced = priceFinished(this.#deps, this.#chat, this.#answer);
    return { type: "done", paid: await this.#started.succeed(produced) };
  }

  /** Our own cut after content, and why: what was delivered is charged, and the call ends well. */
  async #cutShort(why: Stopped | ProviderFailure): Promise<ChatStreamPart> {
    this.#close();
    // Of half a response no reply can be made: who waits for one would pay for nothing.
    if (this.#reading === "reply" && this.#answer.isWire && this.#answer.wire("length") === null)
      return { type: "error", error: await this.#started.fail(why) };
    return { type: "done", paid: await this.#started.succeed(this.#delivered()) };
  }

  /** The reader left: what was delivered is charged, and nobody is told. */
  async #settleDelivered(): Promise<null> {
    this.#close();
    await this.#started.leave(this.#delivered());
    return null;
  }

  /** The provider failed, or the call was stopped. */
  async #endAfter(error: unknown): Promise<ChatStreamPart | null> {
    if (this.#state === "left" || this.#state === "counting") return this.#settleDelivered();
    if (isOwnCut(error) && this.#answer.characters > 0) return this.#cutShort(error);
    this.#close();
    return { type: "error", error: await this.#started.fail(error) };
  }

  #close(): void {
    this.#state = "over";
    this.#provider.stop();
  }

  #isInputKnown(): boolean {
    return isInputKnown(this.#chat, this.#answer);
  }

  #delivered(): Produced<ChatOutcome> {
    return priceDelivered(this.#deps, this.#chat, this.#answer);
  }
}

/** Time and size are our own bounds: how long an answer gets is its caller's to ask for, and its provider has not failed. */
function isOwnCut(error: unknown): error is Stopped | ProviderFailure {
  if (error instanceof Stopped) return error.reason === "deadline";
  return error instanceof ProviderFailure && error.detail.isExcess === true;
}

function inputIn(event: ChatEvent): ReportedInput | null {
  if (event.type === "input") return event.usage;
  if (event.type !== "finish" || event.usage === null) return null;
  const { outputTokens: _output, reasoningTokens: _reasoning, ...input } = event.usage;
  return input;
}

/** Whether these are the end of an answer, and write nothing more. */
function isEnd(events: readonly ChatEvent[]): boolean {
  const writesNothing = (event: ChatEvent) =>
    event.type === "finish" || event.type === "input" || (event.type === "wire" && event.written === "");
  return events.at(-1)?.type === "finish" && events.every(writesNothing);
}

/** The provider's batches, until the call is stopped: then the reason is thrown, whether the provider heeds it or not. */
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

  /** Not waited for: a provider that hangs must not keep the call from its end. */
  stop(): void {
    this.#started.stop();
    this.#batches.return().catch(() => {});
  }
}

function wroteOn(): ProviderFailure {
  return endlessAnswer("an answer that goes on past its limit");
}
