import { assert, failpoint } from "../kit/index.ts";
import { type ChatRequest, ProviderFailure } from "../providers/index.ts";
import type { AnswerPace } from "./answer/answer-pace.ts";
import { AnswerReader, type ReadingDeps } from "./answer/answer-reader.ts";
import { answerWhole, canAnswerWhole } from "./answer/answer-whole.ts";
import { createChatAnswer } from "./answer/chat-answer.ts";
import { type ChatCall, type QuoteDeps, type QuotedChat, quoteChat } from "./chat-call.ts";
import { priceFinished } from "./chat-price.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { StartCall, StartedCall } from "./paid-call/paid-call.ts";
import { untilStopped } from "./targets/targets-in-turn.ts";

export type ChatDeps = ReadingDeps & QuoteDeps & { readonly startCall: StartCall; readonly pace: AnswerPace };

/** A chat call with a single reply. Once started it finishes and is charged, even if the client disconnects. */
export function createChat(deps: ChatDeps): (call: ChatCall) => Promise<Paid<ChatOutcome>> {
  const { registry, breaker, pace, clock } = deps;
  return async (call) => {
    const quoting = quoteChat(call, deps);
    const chat = quoting instanceof Promise ? await quoting : quoting;
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    if (start.kind === "replay") return start.paid;
    const started = start.call;
    const { model, requestId, principal } = chat.call;
    const request = chat.requestFor(started.granted, "reply");
    if (!request.inOnePiece || !canAnswerWhole(registry, model)) {
      return readWhole(deps, chat, started, request);
    }
    const answer = createChatAnswer();
    const startedAtMs = clock.elapsedMs();
    let elapsedMs = 0;
    try {
      const orgId = principal.organization.id;
      answer.add(await answerWhole({ registry, breaker, model, request, requestId, orgId }, started));
      elapsedMs = clock.elapsedMs() - startedAtMs;
      const armed = failpoint("after_upstream_end");
      if (armed) await untilStopped(started, () => armed);
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === "timeout") pace.learnTimeout(model.id);
      throw await started.fail(error);
    }
    const produced = priceFinished(deps, chat, answer);
    pace.learn(model.id, produced.outputTokens / chat.n, elapsedMs);
    if (produced.outcome.usage.reasoningTokens > 0) pace.learnThinking(model.id);
    return started.succeed(produced);
  };
}

/** Reads the answer as a stream and waits for its end. */
async function readWhole(
  deps: ChatDeps,
  chat: QuotedChat,
  started: StartedCall<ChatOutcome>,
  request: ChatRequest,
): Promise<Paid<ChatOutcome>> {
  const { pace, clock } = deps;
  const startedAtMs = clock.elapsedMs();
  let elapsedMs = 0;
  const reader = new AnswerReader({ deps, chat, started, request, reading: "reply" });
  // Bounded by the call's deadline.
  for (;;) {
    const part = await reader.next();
    assert(part, "an answer is over after its last part");
    if (part.type === "error") throw part.error;
    if (part.type === "done") {
      pace.learn(chat.call.model.id, part.paid.outcome.usage.outputTokens / chat.n, elapsedMs);
      return part.paid;
    }
    elapsedMs = clock.elapsedMs() - startedAtMs;
  }
}
