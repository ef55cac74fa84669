import { type AppError, assert, type RateState, Stopped } from "../kit/index.ts";
import type { ChatEvent } from "../providers/index.ts";
import type { ChatDeps } from "./chat.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { type ChatCall, type QuotedChat, quoteChat } from "./chat-call.ts";
import { failureError } from "./failure.ts";
import { priceDelivered, priceFinished } from "./chat-price.ts";
import { chatFromTargets, isBilledToItsEnd } from "./chat-targets.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import { createOverspendGuard } from "./overspend-guard.ts";
import type { StartedCall } from "./paid-call.ts";

/** What a reader of a stream gets: what the provider sends as it arrives, then how it ended. */
export type ChatStreamPart =
  | { readonly type: "events"; readonly events: readonly ChatEvent[] }
  | { readonly type: "done"; readonly paid: Paid<ChatOutcome> }
  | { readonly type: "error"; readonly error: AppError };

export type ChatStream = {
  readonly requestId: string;
  readonly model: string;
  /** Null for a repeat, which costs no rate. */
  readonly rate: RateState | null;
  readonly replayed: boolean;
  /** The next part; null after the end. Never rejects. Nothing is read from the provider before it is asked for. */
  next(): Promise<ChatStreamPart | null>;
  /** The reader is gone. Resolves when the call is settled. */
  leave(): Promise<void>;
};

/** Admits a streamed chat call; refusals are thrown. */
export function createChatStream(deps: ChatDeps): (call: ChatCall) => Promise<ChatStream> {
  return async (call) => {
    const chat = quoteChat(call, deps.timeoutMs);
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    return start.kind === "replay" ? replayedStream(start.paid) : runningStream(deps, chat, start.call);
  };
}

/** The first reply again: the same text and the same end, in one piece. */
function replayedStream(paid: Paid<ChatOutcome>): ChatStream {
  const { content, model } = paid.outcome;
  const parts: ChatStreamPart[] = [{ type: "done", paid }];
  if (content !== "") parts.unshift({ type: "events", events: [{ type: "text", text: content }] });
  return {
    requestId: paid.requestId,
    model,
    rate: null,
    replayed: true,
    next: async () => parts.shift() ?? null,
    leave: async () => {},
  };
}

function runningStream(deps: ChatDeps, chat: QuotedChat, started: StartedCall<ChatOutcome>): ChatStream {
  const { requestId, model } = chat.call;
  const reading = readAnswer(deps, chat, started);
  // With an Idempotency-Key the whole answer is worth having: the retry will ask for it.
  const drains = chat.call.idempotency !== null || isBilledToItsEnd(deps.registry, model);
  let hasLeft = false;
  /** What is being read or settled now: `leave` waits for it instead of reading beside it. */
  let busy: Promise<ChatStreamPart | null> = Promise.resolve(null);

  return {
    requestId,
    model: model.id,
    rate: started.rate,
    replayed: false,
    next() {
      busy = reading.next();
      return busy;
    },
    async leave() {
      if (hasLeft) return;
      hasLeft = true;
      if (!drains) reading.stop();
      let part = await busy;
      while (!reading.isOver()) part = await reading.next();
      if (part?.type === "error") deps.log.warn("left_call_failed", { request_id: requestId, code: part.error.code });
    },
  };
}

/** Reads one answer part by part and decides, with each, whether the call goes on or how it ends. */
function readAnswer(deps: ChatDeps, chat: QuotedChat, started: StartedCall<ChatOutcome>) {
  const { requestId, model } = chat.call;
  const request = chat.requestFor(started.granted);
  const context = { requestId, signal: started.signal };
  const batches = chatFromTargets({ registry: deps.registry, model, request, context });
  const answer = createChatAnswer();
  const isOverspent = createOverspendGuard(request.maxOutputTokens);
  let isOver = false;
  let isStopped = false;

  async function read(): Promise<ChatStreamPart | null> {
    if (answer.finish) return finish();
    const { value: batch } = await batches.next();
    assert(batch, "an answer ends with finish or by throwing");
    answer.add(batch);
    if (isStopped) return settleDelivered();
    if (answer.finish === null) {
      return isOverspent(answer) ? cutShort() : { type: "events", events: batch.events };
    }
    const events = batch.events.slice(0, -1);
    return events.length > 0 ? { type: "events", events } : finish();
  }

  async function finish(): Promise<ChatStreamPart> {
    isOver = true;
    return { type: "done", paid: await started.succeed(priceFinished(deps, chat, answer)) };
  }

  /** Our own cut after content: what was delivered is charged, and the stream ends well. */
  async function cutShort(): Promise<ChatStreamPart> {
    isOver = true;
    await stopProvider();
    return { type: "done", paid: await started.succeed(priceDelivered(chat, answer)) };
  }

  /** The reader left: what was delivered is charged, and nobody is told. */
  async function settleDelivered(): Promise<null> {
    isOver = true;
    await stopProvider();
    await started.leave(priceDelivered(chat, answer));
    return null;
  }

  async function stopProvider(): Promise<void> {
    started.stop();
    await batches.return(undefined).catch(() => {});
  }

  async function endAfter(error: unknown): Promise<ChatStreamPart | null> {
    if (isStopped) return settleDelivered();
    const isLate = error instanceof Stopped && error.reason === "deadline";
    if (isLate && answer.characters > 0) return cutShort();
    isOver = true;
    return { type: "error", error: await started.fail(error) };
  }

  return {
    isOver: () => isOver,
    stop() {
      isStopped = true;
      started.stop();
    },
    async next(): Promise<ChatStreamPart | null> {
      if (isOver) return null;
      try {
        return await read();
      } catch (error) {
        // What is over failed to settle: the settlement's own error says what is known.
        if (isOver) return { type: "error", error: failureError(error) };
        return endAfter(error).catch((settling: unknown) => ({ type: "error", error: failureError(settling) }));
      }
    },
  };
}
