import type { WireVendor } from "../vendor.ts";
import type { Fields } from "../wire-fields.ts";

/**
 * A server that wants thoughts back with the calls they led to refuses the whole conversation where a client has not
 * kept them, or where another model made the call. So in their place stands what it takes for none.
 */
export function withLostThoughts(
  messages: readonly Fields[],
  { lostThoughts }: WireVendor,
): readonly Fields[] {
  if (lostThoughts === null || !messages.some(isCalling)) return messages;
  const { of, as } = lostThoughts;
  return messages.map((message) => {
    const isAsked = message["role"] === "assistant" && (of === "every turn" || isCalling(message));
    return isAsked && !message["reasoning_content"] ? { ...message, reasoning_content: as } : message;
  });
}

function isCalling({ tool_calls: calls }: Fields): boolean {
  return Array.isArray(calls) && calls.length > 0;
}
