import { assert } from "../kit/index.ts";
import { createAnswerReader, type ReadingDeps } from "./answer-reader.ts";
import { type ChatCall, quoteChat } from "./chat-call.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { StartCall } from "./paid-call.ts";

export type ChatDeps = ReadingDeps & { readonly startCall: StartCall; readonly timeoutMs: number };

/** Made within the two minutes that a first byte may take, at the pace of today's models. */
const MOST_TOKENS_IN_ONE_PIECE = 8_192;

/**
 * A chat call whose reply is one piece: read like a stream, by a reader who waits for its end. Once started it
 * finishes and is charged, even if its caller has left.
 */
export function createChat(deps: ChatDeps): (call: ChatCall) => Promise<Paid<ChatOutcome>> {
  return async (call) => {
    const chat = quoteChat(call, deps.timeoutMs);
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    if (start.kind === "replay") return start.paid;
    const request = chat.requestFor(start.call.granted);
    const inOnePiece = request.maxOutputTokens <= MOST_TOKENS_IN_ONE_PIECE;
    const reader = createAnswerReader({
      deps,
      chat,
      started: start.call,
      request: { ...request, inOnePiece },
    });
    // Ends with the answer, and at the latest with the call's deadline.
    for (;;) {
      const part = await reader.next();
      assert(part, "an answer is over after its last part");
      if (part.type === "done") return part.paid;
      if (part.type === "error") throw part.error;
    }
  };
}
