import { type AppError, assert, Stopped } from "../kit/index.ts";
import {
  type Breaker,
  type ChatEvent,
  type ChatRequest,
  ProviderFailure,
  type Registry,
} from "../providers/index.ts";
import { createChatAnswer } from "./chat-answer.ts";
import type { AnswerReading, QuotedChat } from "./chat-call.ts";
import { type PricingDeps, priceDelivered, priceFinished } from "./chat-price.ts";
import { chatFromTargets, type TargetBatch, type TargetBatches } from "./chat-targets.ts";
import { failureError } from "./failure.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import { createOverspendGuard } from "./overspend-guard.ts";
import type { StartedCall } from "./paid-call.ts";
import { wroteOn } from "./target-attempt.ts";

/** What a reader gets of an answer: what the provider sends as it arrives, `finish` included, then how it ended. */
export type ChatStreamPart =
  | { readonly type: "events"; readonly events: readonly ChatEvent[] }
  | { readonly type: "done"; readonly paid: Paid<ChatOutcome> }
  | { readonly type: "error"; readonly error: AppError };

export type ReadingDeps = PricingDeps & { readonly registry: Registry; readonly breaker: Breaker };

export type AnswerReader = {
  /** The next part; null after the end. Never rejects. Nothing is read from the provider before it is asked for. */
  next(): Promise<ChatStreamPart | null>;
  /**
   * The reader is gone: the next part is the last, and what was delivered is charged, unless the answer is kept or its
   * provider bills it anyway; those are to be read to their end.
   */
  leave(): void;
  readonly isOver: boolean;
};

/** Reads one answer part by part and decides, with each, whether the call goes on or how it ends. */
export function createAnswerReader(input: {
  deps: ReadingDeps;
  chat: QuotedChat;
  started: StartedCall<ChatOutcome>;
  request: ChatRequest;
  reading: AnswerReading;
}): AnswerReader {
  const { deps, chat, started, request, reading } = input;
  const answer = createChatAnswer({ keepsChunks: reading === "kept_stream" });
  // The limit is of each answer, and what is looked at is all of them.
  const isOverspent = createOverspendGuard(request.maxOutputTokens * chat.n);
  const { registry, breaker } = deps;
  const { requestId, model } = chat.call;
  const targets = chatFromTargets({ registry, breaker, model, request, requestId }, started);
  const provider = readProvider(targets, started);
  let isOver = false;
  let isStopped = false;
  let isCut = false;

  async function finish(): Promise<ChatStreamPart> {
    // The answer is whole: what goes wrong while its provider hangs up changes nothing.
    await provider.next().catch(() => provider.stop());
    isOver = true;
    return { type: "done", paid: await started.succeed(priceFinished(deps, chat, answer)) };
  }

  /** Our own cut after content, and why: what was delivered is charged, and the call ends well. */
  async function cutShort(why: Stopped | ProviderFailure): Promise<ChatStreamPart> {
    isOver = true;
    provider.stop();
    // Half an answer in the words of another wire cannot be made a reply of: who waits for one would pay for nothing.
    if (answer.isWire && reading === "reply") return { type: "error", error: await started.fail(why) };
    return { type: "done", paid: await started.succeed(priceDelivered(deps, chat, answer)) };
  }

  /** The reader left: what was delivered is charged, and nobody is told. */
  async function settleDelivered(): Promise<null> {
    isOver = true;
    provider.stop();
    await started.leave(priceDelivered(deps, chat, answer));
    return null;
  }

  async function endAfter(error: unknown): Promise<ChatStreamPart | null> {
    if (isStopped) return settleDelivered();
    if (isOwnCut(error) && answer.characters > 0) return cutShort(error);
    isOver = true;
    provider.stop();
    return { type: "error", error: await started.fail(error) };
  }

  return {
    get isOver() {
      return isOver;
    },
    leave() {
      // A call that a drain or a lost lease has ended stays ended so, whoever leaves afterwards.
      if (started.stopped !== null) return;
      if (reading === "kept_stream") return;
      targets.leave();
      if (targets.onDisconnect === "drain") return;
      isStopped = true;
      started.stop();
    },
    async next() {
      if (isOver) return null;
      try {
        if (answer.finish) return await finish();
        if (isCut) return await cutShort(wroteOn());
        const batch = await provider.next();
        assert(batch, "an answer ends with finish or by throwing");
        // What arrives after the reader left is nobody's: it is not delivered, so it is not charged.
        if (isStopped) return await settleDelivered();
        answer.add(batch);
        // The batch is delivered before the cut: what is charged is what the reader has.
        if (answer.finish === null) isCut = isOverspent(answer);
        return { type: "events", events: batch.events };
      } catch (error) {
        // What is over failed to settle: the settlement's own error says what is known.
        if (isOver) return { type: "error", error: failureError(error) };
        return endAfter(error).catch((settling: unknown) => ({
          type: "error",
          error: failureError(settling),
        }));
      }
    },
  };
}

/** Time and size are our own bounds: how long an answer gets is its caller's to ask for, and its provider has not failed. */
function isOwnCut(error: unknown): error is Stopped | ProviderFailure {
  if (error instanceof Stopped) return error.reason === "deadline";
  return error instanceof ProviderFailure && error.detail.isExcess === true;
}

/** The provider's batches, until the call is stopped: then the reason is thrown, whether the provider heeds it or not. */
function readProvider(batches: TargetBatches, started: StartedCall<ChatOutcome>) {
  let interrupt: ((stopped: Stopped) => void) | null = null;
  started.onStop((stopped) => {
    batches.abort(stopped);
    interrupt?.(stopped);
  });

  return {
    /** Undefined after the last one. */
    next(): Promise<TargetBatch | undefined> {
      return new Promise((resolve, reject) => {
        if (started.stopped !== null) return reject(started.stopped);
        interrupt = reject;
        batches.next().then(resolve, reject);
      });
    },
    /** Not waited for: a provider that hangs must not keep the call from its end. */
    stop(): void {
      started.stop();
      batches.return().catch(() => {});
    },
  };
}
