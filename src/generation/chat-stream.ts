import type { RateState } from "../kit/index.ts";
import { eventsOf } from "./answer/answer-events.ts";
import { AnswerReader, type ChatStreamPart } from "./answer/answer-reader.ts";
import type { ChatDeps } from "./chat.ts";
import { type ChatCall, type QuotedChat, quoteChat } from "./chat-call.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { StartedCall } from "./paid-call/paid-call.ts";

export type ChatStream = {
  readonly requestId: string;
  readonly model: string;
  /** Of a repeat too, which does not count. */
  readonly rate: RateState;
  readonly replayed: boolean;
  /**
   * The next part; null after the end, and after `leave`. Never rejects. Nothing is read from the provider before it is
   * asked for.
   */
  next(): Promise<ChatStreamPart | null>;
  /** The reader is gone. Resolves when the call is settled. */
  leave(): Promise<void>;
};

/** Admits a streamed chat call; refusals are thrown. */
export function createChatStream(deps: ChatDeps): (call: ChatCall) => Promise<ChatStream> {
  return async (call) => {
    const chat = quoteChat(call, deps);
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    return start.kind === "replay" ? replayedStream(start.paid) : runningStream(deps, chat, start.call);
  };
}

/** The first reply again: the same text and the same end, in one piece. An answer in another wire is in `done`. */
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
  // With an Idempotency-Key the whole answer is worth having: the retry will ask for it.
  const reading = chat.call.idempotency === null ? "stream" : "kept_stream";
  const request = chat.requestFor(started.granted, reading);
  const reader = new AnswerReader({ deps, chat, started, request, reading });
  let hasLeft = false;
  /** What is being read or settled now: `leave` waits for it instead of reading beside it. */
  let busy: Promise<ChatStreamPart | null> = Promise.resolve(null);

  return {
    requestId,
    model: model.id,
    rate: started.rate,
    replayed: false,
    next() {
      // From now on `leave` alone reads: of two who read at once, one would wait for ever.
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
