import type { ChatMessage, ContentPart } from "../../../contract/index.ts";
import type { WireTexts } from "../../../generation/index.ts";
import { assert, isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";

/** Finds the texts of the messages in a chat completions body: each is in the message with the same index. */
export function chatTexts(body: JsonObject): WireTexts {
  return {
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

function rewriteMessage(given: unknown, shown: ChatMessage | undefined): JsonObject {
  assert(isObject(given) && shown !== undefined, "each message has its neutral form");
  return { ...given, content: rewriteContent(given["content"], shown.content) };
}

/** Only what tools returned changes, some of it in user messages: the parts of a message stay parts. */
function rewriteContent(given: unknown, shown: ChatMessage["content"]): unknown {
  if (!Array.isArray(given) || !Array.isArray(shown)) return shown;
  return given.map((part, at) => rewritePart(part, shown[at]));
}

function rewritePart(given: unknown, shown: ContentPart | undefined): unknown {
  if (shown?.type !== "text") return given;
  if (!isObject(given)) return shown.text;
  return given["text"] === shown.text ? given : { ...given, text: shown.text };
}
