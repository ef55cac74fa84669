import { type ChatRequest, ProviderFailure } from "../../contract/index.ts";

/** The error message of the only provider that compares reasoning with what it signed. */
const REFUSED = /`(?:redacted_)?thinking`/;

/**
 * The reasoning did not come back unchanged: the client dropped or changed part of its turn, or the reasoning came
 * after the last thing that clients keep. Retried once without any reasoning, the conversation continues; otherwise it
 * would be refused for ever. A rejection precedes any answer and costs nothing.
 */
export function isThinkingRefused(error: unknown): boolean {
  return error instanceof ProviderFailure && error.kind === "rejected" && REFUSED.test(error.publicMessage);
}

/** Null if there is no reasoning to remove. */
export function withoutReasoning(request: ChatRequest): ChatRequest | null {
  const messages = request.messages.map((message) => {
    if (message.role !== "assistant" || message.reasoning === undefined) return message;
    const { reasoning: _, ...rest } = message;
    return rest;
  });
  if (messages.every((message, at) => message === request.messages[at])) return null;
  // If no usage is reported, the charge must not include the removed reasoning as input.
  request.wire?.onSent?.({});
  return { ...request, messages };
}
