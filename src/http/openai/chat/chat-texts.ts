import type { WireTexts } from "../../../generation/index.ts";
import { assert, isObject } from "../../../kit/index.ts";
import type { ChatMessage, ContentPart } from "../../../providers/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { hasTextPositions } from "../text-positions.ts";

/** Finds the texts of the messages in a chat completions body: each is in the message with the same index. */
export function chatTexts(body: JsonObject): WireTexts {
  return {
    isFixed: (at) => isFixed(messagesOf(body)[at]),
    rewrite(messages, changed) {
      const given = [...messagesOf(body)];
      for (const at of changed) given[at] = rewriteMessage(given[at], messages[at]);
      return { ...body, messages: given };
    },
  };
}

function messagesOf({ messages }: JsonObject): readonly unknown[] {
  assert(Array.isArray(messages), "the messages were decoded");
  return messages;
}

/**
 * A neutral assistant message has one text for all parts of the turn, and perhaps for its refusal. A new text can be
 * written back only if the turn has a single text.
 */
function isFixed(given: unknown): boolean {
  assert(isObject(given), "the message was decoded");
  const { role, content } = given;
  if (role !== "assistant") return false;
  if (hasTextPositions(given) || (Array.isArray(content) && content.some(hasTextPositions))) return true;
  return Array.isArray(content) ? content.filter(isSaid).length !== 1 : !content;
}

/** Reasoning parts are only for the vendor that wrote them, and not in the neutral text. */
function isSaid(part: unknown): boolean {
  if (!isObject(part)) return false;
  return part["type"] === "refusal" || (part["type"] === "text" && part["text"] !== "");
}

function rewriteMessage(given: unknown, shown: ChatMessage | undefined): JsonObject {
  assert(isObject(given) && shown !== undefined, "each message has its neutral form");
  return { ...given, content: rewriteContent(given["content"], shown.content) };
}

function rewriteContent(given: unknown, shown: ChatMessage["content"]): unknown {
  if (!Array.isArray(given) || shown === null) return shown;
  if (typeof shown !== "string") return given.map((part, at) => rewritePart(part, shown[at]));
  return given.map((part) => (isSaid(part) ? withText(part, shown) : part));
}

function rewritePart(given: unknown, shown: ContentPart | undefined): unknown {
  if (shown?.type !== "text") return given;
  return typeof given === "string" ? shown.text : withText(given as JsonObject, shown.text);
}

function withText(part: JsonObject, text: string): JsonObject {
  const field = part["type"] === "refusal" ? "refusal" : "text";
  return part[field] === text ? part : { ...part, [field]: text };
}
