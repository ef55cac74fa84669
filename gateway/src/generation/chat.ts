import type { AnswerPace } from "./answer/answer-pace.ts";
import { AnswerReader, type ReadingDeps } from "./answer/answer-reader.ts";
import { type ChatCall, loweredLimit, type QuoteDeps, quoteChat } from "./chat-call.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { StartCall } from "./paid-call/paid-call.ts";

export type ChatDeps = ReadingDeps & QuoteDeps & { readonly startCall: StartCall; readonly pace: AnswerPace };

/**
 * A chat call with a single reply; null if its client has disconnected. Then it ends like a stream, of which nothing was
 * delivered: charged for its input and the thinking that ran, or as reported where the provider bills anyway. One with
 * an Idempotency-Key finishes and is kept.
 */
export function createChat(deps: ChatDeps): (call: ChatCall) => Promise<Paid<ChatOutcome> | null> {
  const { pace, clock } = deps;
  return async (call) => {
    const quoting = quoteChat(call, deps);
    const chat = quoting instanceof Promise ? await quoting : quoting;
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    if (start.kind === "replay") return start.paid;
    const started = start.call;
    const { id: model } = chat.call.model;
    const request = chat.requestFor(started.granted, "reply");
    const startedAtMs = clock.elapsedMs();
    let elapsedMs = 0;
    const reader = new AnswerReader({ deps, chat, started, request, reading: "reply" });
    let hasLeft = false;
    const leave = () => {
      hasLeft = true;
      reader.leave();
    };
    const unwatch = call.idempotency === null ? call.watchClient(leave) : () => {};
    try {
      // Bounded by the call's deadline.
      for (;;) {
        const part = await reader.next();
        if (part === null) return null;
        if (part.type === "error") {
          if (request.inOnePiece && part.error.status === TIMED_OUT) pace.learnTimeout(model);
          throw part.error;
        }
        if (part.type === "done") {
          pace.learn(model, part.paid.outcome.usage.outputTokens / chat.n, elapsedMs);
          return hasLeft ? null : { ...part.paid, maxTokensGranted: loweredLimit(chat, request) };
        }
        elapsedMs = clock.elapsedMs() - startedAtMs;
      }
    } finally {
      unwatch();
    }
  };
}

const TIMED_OUT = 504;
