import type { WireVendor } from "../vendor.ts";
import type { Fields } from "../wire-fields.ts";

/** A conversation whose turns of the model's own have what the vendor asks of them; the very list where it asks nothing. */
export function withOwnTurns(messages: readonly Fields[], vendor: WireVendor): readonly Fields[] {
  return withBegunAnswer(withLostThoughts(messages, vendor), vendor);
}

/**
 * A server that wants thoughts back with the calls they led to refuses the whole conversation where a client has not
 * kept them, or where another model made the call. So in their place stands what it takes for none.
 */
function withLostThoughts(messages: readonly Fields[], { lostThoughts }: WireVendor): readonly Fields[] {
  if (lostThoughts === null || !messages.some(isCalling)) return messages;
  const { of, as } = lostThoughts;
  return messages.map((message) => {
    const isAsked = message["role"] === "assistant" && (of === "every turn" || isCalling(message));
    return isAsked && !message["reasoning_content"] ? { ...message, reasoning_content: as } : message;
  });
}

/** A last turn of the model's own is the beginning of its answer, which some vendors take only with a mark. */
function withBegunAnswer(messages: readonly Fields[], { marksBegunAnswer }: WireVendor): readonly Fields[] {
  const last = messages.at(-1);
  if (!marksBegunAnswer || last === undefined || !isSaying(last)) return messages;
  return messages.with(-1, { ...last, prefix: true });
}

function isSaying(message: Fields): boolean {
  return message["role"] === "assistant" && !isCalling(message) && (message["content"] ?? "") !== "";
}

function isCalling({ tool_calls: calls }: Fields): boolean {
  return Array.isArray(calls) && calls.length > 0;
}
