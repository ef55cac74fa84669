import type { ChatMessage } from "../../../contract/index.ts";
import { invalid, isObject } from "../../../kit/index.ts";
import type { ExactNumbers } from "../../body/exact-numbers.ts";
import { faultInCompanions, refuseInsideCompanions } from "../companion-content.ts";
import { type JsonObject, requiredString, requiredText } from "../json-fields.ts";
import { MediaAddresses, type PrivateHosts } from "../media-address.ts";
import type { CallSeal } from "../sealed/sealed-call-id.ts";
import { type Conversation, decodeAssistant } from "./chat-assistant.ts";
import { asksForCache, cacheOf, decodeContent } from "./chat-part.ts";

/** Returns one neutral message for each message sent, at the same index. */
export function decodeMessages(
  given: unknown,
  {
    maxMessages,
    callSeal,
    exactNumbers,
    privateHosts,
  }: {
    readonly maxMessages: number;
    readonly callSeal: CallSeal;
    readonly exactNumbers?: ExactNumbers | undefined;
    readonly privateHosts?: PrivateHosts | undefined;
  },
): readonly ChatMessage[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > maxMessages) {
    throw invalid("messages", `must be a list of 1 to ${maxMessages} messages`);
  }
  const conversation: Conversation = {
    callSeal: callSeal.forRequest(),
    calls: 0,
    exactNumbers,
    functionCallId: "",
    addresses: new MediaAddresses(privateHosts),
  };
  return given.map((message: unknown, at) => decodeMessage(message, at, conversation));
}

function decodeMessage(message: unknown, at: number, conversation: Conversation): ChatMessage {
  if (!isObject(message)) throw invalid(`messages[${at}]`, "must be an object with role and content");
  const { role, content } = message;
  const fault = faultInCompanions(message, conversation.addresses);
  if (fault !== null) throw invalid(`messages[${at}]${fault.place}`, fault.words);
  switch (role) {
    case "system":
    case "developer":
      return decodeInstructions(message, at, conversation);
    case "user":
      return {
        role,
        content:
          typeof content === "string"
            ? content
            : decodeContent(content, `messages[${at}].content`, conversation.addresses),
        ...cacheOf(message),
      };
    case "assistant":
      return decodeAssistant(message, at, conversation);
    case "tool":
      return decodeResult(message, at, conversation);
    case "function":
      return {
        role: "tool",
        toolCallId: conversation.functionCallId,
        content: resultOf(message, at, conversation),
        ...cacheOf(message),
      };
    default:
      throw invalid(
        `messages[${at}].role`,
        "must be one of system, developer, user, assistant, tool, function",
      );
  }
}

function decodeInstructions(message: JsonObject, at: number, { addresses }: Conversation): ChatMessage {
  const { content: given } = message;
  const role = message["role"] === "system" ? "system" : "developer";
  const texts = typeof given === "string" ? [given] : textsIn(given, at, addresses);
  const content = texts.join(BETWEEN_PARTS);
  const cacheAt = Array.isArray(given) && given.some(asksForCache) ? cachedEnds(given, texts) : [];
  const isCached = asksForCache(message) || cacheAt.at(-1) === content.length;
  const within = cacheAt.filter((end) => end < content.length);
  return {
    role,
    content,
    ...(isCached ? { cache: true } : {}),
    ...(within.length === 0 ? {} : { cacheAt: within }),
  };
}

const BETWEEN_PARTS = "\n";

/** Missing content is tolerated: some clients send it if they have no instructions. */
function textsIn(content: unknown, at: number, addresses: MediaAddresses): string[] {
  if (content === undefined || content === null) return [];
  const path = `messages[${at}].content`;
  if (!Array.isArray(content)) throw invalid(path, "must be a string or a list of text parts");
  return content.map((part: unknown, index) => {
    const here = `${path}[${index}]`;
    if (!isObject(part) || part["type"] !== "text") throw invalid(here, "must be a text part");
    refuseInsideCompanions(part, here, addresses);
    return requiredString(part, "text", here);
  });
}

/** Offsets in the joined text at which the parts with `cache_control` end. */
function cachedEnds(parts: readonly unknown[], texts: readonly string[]): number[] {
  const ends: number[] = [];
  let end = -BETWEEN_PARTS.length;
  for (const [at, text] of texts.entries()) {
    end += BETWEEN_PARTS.length + text.length;
    if (asksForCache(parts[at])) ends.push(end);
  }
  return ends;
}

function decodeResult(message: JsonObject, at: number, conversation: Conversation): ChatMessage {
  const id = requiredText(message, "tool_call_id", `messages[${at}]`);
  return {
    role: "tool",
    toolCallId: conversation.callSeal.plainId(id),
    content: resultOf(message, at, conversation),
    ...cacheOf(message),
  };
}

/** Some clients send null for a tool that returned nothing. */
function resultOf(
  { content }: JsonObject,
  at: number,
  { addresses }: Conversation,
): Extract<ChatMessage, { role: "tool" }>["content"] {
  if (content === undefined || content === null) return "";
  return decodeContent(content, `messages[${at}].content`, addresses);
}
