import type { RateState } from "../kit/index.ts";
import { eventsOf } from "./answer/answer-events.ts";
import { AnswerReader, type ChatStreamPart } from "./answer/answer-reader.ts";
import type { ChatDeps } from "./chat.ts";
import { type ChatCall, loweredLimit, type QuotedChat, quoteChat } from "./chat-call.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { StartedCall } from "./paid-call/paid-call.ts";

export type ChatStream = {
  readonly requestId: string;
  readonly model: string;
  /** Also set for a repeat, which does not count against the limit. */
  readonly rate: RateState;
  readonly replayed: boolean;
  readonly maxTokensGranted?: Paid<ChatOutcome>["maxTokensGranted"];
  /** The next part; null after the end, and after `leave`. Never rejects. Reads from the provider only on demand. */
  next(): Promise<ChatStreamPart | null>;
  /** The client disconnected. Resolves when the call is settled. */
  leave(): Promise<void>;
};

/** Admits a streamed chat call; refusals are thrown. */
export function createChatStream(deps: ChatDeps): (call: ChatCall) => Promise<ChatStream> {
  return async (call) => {
    const quoting = quoteChat(call, deps);
    const chat = quoting instanceof Promise ? await quoting : quoting;
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    return start.kind === "replay" ? replayedStream(start.paid) : runningStream(deps, chat, start.call);
  };
}

/**
 * Replays the first reply: the same content and ending, all at once. A reply kept in the caller's own wire is in
 * `done`.
 */
function replayedStream(paid: Paid<ChatOutcome>): ChatStream {
  const { answers, model } = paid.outcome;
  const events = eventsOf(answers);
  const parts: ChatStreamPart[] = [{ type: "done", paid }];
  if (events.length > 0) parts.unshift({ type: "events", events });
  return {
    requestId: paid.requestId,
    model,
    rate: paid.rate,
    replayed: true,
    next: async () => parts.shift() ?? null,
    leave: async () => {},
  };
}

function runningStream(deps: ChatDeps, chat: QuotedChat, started: StartedCall<ChatOutcome>): ChatStream {
  const { requestId, model } = chat.call;
  // With an Idempotency-Key the whole answer is kept, since a retry will ask for it.
  const reading = chat.call.idempotency === null ? "stream" : "kept_stream";
  const request = chat.requestFor(started.granted, reading);
  const reader = new AnswerReader({ deps, chat, started, request, reading });
  let hasLeft = false;
  /** The read or settlement in progress: `leave` waits for it instead of starting a second one. */
  let busy: Promise<ChatStreamPart | null> = Promise.resolve(null);

  return {
    requestId,
    model: model.id,
    rate: started.rate,
    replayed: false,
    maxTokensGranted: loweredLimit(chat, request),
    next() {
      // After `leave`, only `leave` reads: of two concurrent readers one would wait forever.
      if (hasLeft) return Promise.resolve(null);
      busy = reader.next();
      return busy;
    },
    async leave() {
      if (hasLeft) return;
      hasLeft = true;
      reader.leave();
      let part = await busy;
      while (!reader.isOver) part = await reader.next();
      if (part?.type === "error")
        deps.log.warn("left_call_failed", { request_id: requestId, code: part.error.code });
    },
  };
}
