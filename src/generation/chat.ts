import { raceSignal } from "../kit/index.ts";
import { ProviderFailure, type Registry } from "../providers/index.ts";
import { createChatAnswer, MAX_ANSWER_CHARACTERS } from "./chat-answer.ts";
import { type ChatCall, quoteChat, type QuotedChat } from "./chat-call.ts";
import { type PricingDeps, priceFinished } from "./chat-price.ts";
import { chatFromTargets } from "./chat-targets.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import type { Produced, StartCall, StartedCall } from "./paid-call.ts";

export type ChatDeps = PricingDeps & {
  readonly startCall: StartCall;
  readonly registry: Registry;
  readonly timeoutMs: number;
};

/** A chat call whose reply is one piece. Once started it finishes and is charged, even if its caller has left. */
export function createChat(deps: ChatDeps): (call: ChatCall) => Promise<Paid<ChatOutcome>> {
  return async (call) => {
    const chat = quoteChat(call, deps.timeoutMs);
    const start = await deps.startCall<ChatOutcome>(chat.paidCall);
    if (start.kind === "replay") return start.paid;
    const started = start.call;
    let produced: Produced<ChatOutcome>;
    try {
      produced = await raceSignal(produce(deps, chat, started), started.signal);
    } catch (error) {
      throw await started.fail(error);
    }
    return started.succeed(produced);
  };
}

async function produce(
  deps: ChatDeps,
  chat: QuotedChat,
  { granted, signal }: StartedCall<ChatOutcome>,
): Promise<Produced<ChatOutcome>> {
  const { requestId, model } = chat.call;
  const answer = createChatAnswer();
  const batches = chatFromTargets({
    registry: deps.registry,
    model,
    request: chat.requestFor(granted),
    context: { requestId, signal },
  });
  for await (const batch of batches) {
    answer.add(batch);
    if (answer.characters > MAX_ANSWER_CHARACTERS) {
      throw new ProviderFailure("unavailable", "The answer was too long.", { internal: "answer over the bound" });
    }
  }
  return priceFinished(deps, chat, answer);
}
