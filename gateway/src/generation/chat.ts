import { type ChatRequest, ProviderFailure } from "../contract/index.ts";
import { failpoint, Stopped } from "../kit/index.ts";
import type { AnswerPace } from "./answer/answer-pace.ts";
import { AnswerReader, type ReadingDeps } from "./answer/answer-reader.ts";
import { answerWhole, canAnswerWhole } from "./answer/answer-whole.ts";
import { CallThinking } from "./answer/call-thinking.ts";
import { createChatAnswer } from "./answer/chat-answer.ts";
import { type ChatCall, loweredLimit, type QuoteDeps, type QuotedChat, quoteChat } from "./chat-call.ts";
import { priceDelivered, priceFinished } from "./chat-price.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { StartCall, StartedCall } from "./paid-call/paid-call.ts";
import { untilStopped } from "./targets/targets-in-turn.ts";

export type ChatDeps = ReadingDeps & QuoteDeps & { readonly startCall: StartCall; readonly pace: AnswerPace };

/**
 * A chat call with a single reply; null if its client has disconnected. Then it ends like a stream, of which nothing was
 * delivered: charged for its input and the thinking that ran, or as reported where the provider bills anyway. One with
 * an Idempotency-Key finishes and is kept.
 */
export function createChat(deps: ChatDeps): (call: ChatCall) => Promise<Paid<ChatOutcome> | null> {
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
    let asked: CallThinking["asked"] = { target: "", answeredMs: null };
    const onAnswered = (target: string | null) => {
      asked = { target: target ?? "", answeredMs: target === null ? null : clock.elapsedMs() };
    };
    let hasLeft = false;
    const unwatch = watch(chat, () => {
      hasLeft = true;
      if (!isBilledAnyway(registry, model)) started.stop();
    });
    try {
      const orgId = principal.organization.id;
      answer.add(
        await answerWhole({ registry, breaker, model, request, requestId, orgId, onAnswered }, started),
      );
      elapsedMs = clock.elapsedMs() - startedAtMs;
      const armed = failpoint("after_upstream_end");
      if (armed) await untilStopped(started, () => armed);
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === "timeout") pace.learnTimeout(model.id);
      if (!isGone(error)) throw await started.fail(error);
      const unseenTokens = new CallThinking(deps, chat, asked).unseenTokens(answer) ?? 0;
      const mostTokens = chat.outputTokensHeld(started.granted, request) * chat.n;
      await started.leave(priceDelivered(deps, chat, answer, { unseenTokens, mostTokens }));
      return null;
    } finally {
      unwatch();
    }
    const produced = priceFinished(deps, chat, answer);
    pace.learn(model.id, produced.outputTokens / chat.n, elapsedMs);
    const paid = await started.succeed(produced);
    return hasLeft ? null : withLimit(paid, loweredLimit(chat, request));
  };
}

function withLimit(
  paid: Paid<ChatOutcome>,
  maxTokensGranted: Paid<ChatOutcome>["maxTokensGranted"],
): Paid<ChatOutcome> {
  return maxTokensGranted === undefined ? paid : { ...paid, maxTokensGranted };
}

function watch({ call }: QuotedChat, leave: () => void): () => void {
  return call.idempotency === null ? call.watchClient(leave) : () => {};
}

/** By any of the model's targets: which one is being asked does not matter enough to be known here. */
function isBilledAnyway({ text }: ChatDeps["registry"], { targets }: ChatCall["model"]): boolean {
  return targets.some(({ provider }) => text(provider).onDisconnect === "drain");
}

function isGone(error: unknown): boolean {
  return error instanceof Stopped && error.reason === "client_gone";
}

/** Reads the answer as a stream and waits for its end. */
async function readWhole(
  deps: ChatDeps,
  chat: QuotedChat,
  started: StartedCall<ChatOutcome>,
  request: ChatRequest,
): Promise<Paid<ChatOutcome> | null> {
  const { pace, clock } = deps;
  const startedAtMs = clock.elapsedMs();
  let elapsedMs = 0;
  const reader = new AnswerReader({ deps, chat, started, request, reading: "reply" });
  let hasLeft = false;
  const unwatch = watch(chat, () => {
    hasLeft = true;
    reader.leave();
  });
  try {
    // Bounded by the call's deadline.
    for (;;) {
      const part = await reader.next();
      if (part === null) return null;
      if (part.type === "error") throw part.error;
      if (part.type === "done") {
        pace.learn(chat.call.model.id, part.paid.outcome.usage.outputTokens / chat.n, elapsedMs);
        return hasLeft ? null : withLimit(part.paid, loweredLimit(chat, request));
      }
      elapsedMs = clock.elapsedMs() - startedAtMs;
    }
  } finally {
    unwatch();
  }
}
