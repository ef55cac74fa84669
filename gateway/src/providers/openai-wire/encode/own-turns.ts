import { isObject } from "../../../kit/index.ts";
import type { Fields } from "../../../wires/index.ts";
import type { WireVendor } from "../vendor.ts";
import type { EncodeTarget } from "./encode-target.ts";
import { inAcceptedOrder } from "./turn-order.ts";

/** The messages in the order and with assistant turns that the vendor requires; the same list if it requires nothing. */
export function withOwnTurns(messages: readonly Fields[], target: EncodeTarget): readonly Fields[] {
  const { vendor } = target;
  const said = withoutEmptyTurns(messages, vendor);
  return withBegunAnswer(withLostReasoning(inAcceptedOrder(said, target), vendor), vendor);
}

/** A model that was cut off while it reasoned leaves such a turn, which would end the conversation for good. */
function withoutEmptyTurns(
  messages: readonly Fields[],
  { refusesEmptyTurns }: WireVendor,
): readonly Fields[] {
  return refusesEmptyTurns && messages.some(isEmptyTurn)
    ? messages.filter((message) => !isEmptyTurn(message))
    : messages;
}

function isEmptyTurn(message: Fields): boolean {
  const { role, content, function_call: call } = message;
  if (role !== "assistant" || isCalling(message) || call !== undefined) return false;
  if (!Array.isArray(content)) return (content ?? "") === "" && !message["refusal"];
  return content.every((part) => isObject(part) && part["type"] === "text" && part["text"] === "");
}

/**
 * A server that requires reasoning beside the calls it led to refuses the whole conversation if a client has not kept
 * it, or if another model made the call. So a placeholder that it accepts is sent instead.
 */
function withLostReasoning(messages: readonly Fields[], { lostReasoning }: WireVendor): readonly Fields[] {
  if (lostReasoning === null || !messages.some(isCalling)) return messages;
  const { of, as } = lostReasoning;
  return messages.map((message) => {
    const isAsked = message["role"] === "assistant" && (of === "every turn" || isCalling(message));
    return isAsked && !message["reasoning_content"] ? { ...message, reasoning_content: as } : message;
  });
}

/** A final assistant turn is the beginning of the answer, which some vendors accept only with a marker. */
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
