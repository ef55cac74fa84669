import { type ChatRequest, ProviderFailure } from "../contract.ts";

/** The error text of the one provider that compares reasoning with what it signed. */
const REFUSED = /`(?:redacted_)?thinking`/;

/**
 * The reasoning did not come back unchanged: a client dropped or changed a part of the turn around it, or it came after
 * the last thing that a client keeps. Asked once more without any reasoning, the conversation continues; otherwise it
 * would be refused for ever. A rejection comes before an answer and costs nothing.
 */
export function isThinkingRefused(error: unknown): boolean {
  return error instanceof ProviderFailure && error.kind === "rejected" && REFUSED.test(error.publicMessage);
}

/** Null where there are none. */
export function withoutThoughts(request: ChatRequest): ChatRequest | null {
  const messages = request.messages.map((message) => {
    if (message.role !== "assistant" || message.reasoning === undefined) return message;
    const { reasoning: _, ...rest } = message;
    return rest;
  });
  if (messages.every((message, at) => message === request.messages[at])) return null;
  // For the charge of a call whose usage nobody reports: none of the thoughts is part of its input.
  request.wire?.onSent?.({});
  return { ...request, messages };
}
