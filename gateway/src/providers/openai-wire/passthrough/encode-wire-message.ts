import type { ChatMessage, ChatRequest, WireRequest } from "../../../contract/index.ts";
import { assert, isObject } from "../../../kit/index.ts";
import { type Fields, isFields } from "../../../wires/index.ts";
import { encodeCallId } from "../encode/encode-call-id.ts";
import { encodeCall, encodeMessage, encodeResult, joinedText } from "../encode/encode-message.ts";
import type { EncodeTarget } from "../encode/encode-target.ts";
import { encodeEach } from "../encode/media-behind.ts";
import { withOwnTurns } from "../encode/own-turns.ts";
import { isVoid, withoutFields } from "./message-fields.ts";
import { isThinking, plainParts, resultParts, saidParts } from "./wire-parts.ts";

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/**
 * The caller's own messages, unchanged except for what this vendor refuses; messages that need no repair are not
 * copied. Ids of tool calls and the data sealed in them come from the neutral messages, which are in the same order.
 */
export function encodeWireMessages(
  request: ChatRequest,
  wire: WireRequest,
  target: EncodeTarget,
): readonly Fields[] {
  const given: unknown = wire.body["messages"];
  const { messages } = request;
  assert(Array.isArray(given) && given.length === messages.length, "each message has its neutral form");
  const encoded = encodeEach(
    messages,
    target,
    (message, at) => encodeWireMessage(message, given[at], target),
    // A result in the older form is passed on unchanged.
    (at) => given[at]["role"] === "tool",
  );
  return withOwnTurns(encoded, target);
}

function encodeWireMessage(neutral: ChatMessage, given: Fields, target: EncodeTarget): Fields {
  const { vendor, model } = target;
  switch (given["role"]) {
    case "assistant":
      return neutral.role === "assistant" ? encodeTurn(neutral, given, target) : given;
    case "tool":
      return neutral.role === "tool" ? encodeToolMessage(neutral, given, target) : given;
    case "developer": {
      const isKnown = vendor.developerModels?.test(model) === true;
      return plainly(isKnown ? given : { ...given, role: "system" }, target);
    }
    case "user":
    case "system":
      return plainly(given, target);
    default:
      return given;
  }
}

/** Keeps only fields that the vendor knows, and content in a form that it accepts. */
function plainly(given: Fields, target: EncodeTarget): Fields {
  const { vendor } = target;
  const message = withoutFields(given, (name) => isRefused(name, target));
  const content = message["content"];
  if (!Array.isArray(content)) return message;
  if (vendor.joinsTextOf.includes(String(message["role"]))) {
    // The model wrote no line breaks between the parts of its own text.
    const text = joinedText(content, message["role"] === "assistant" ? "" : "\n");
    if (text !== null) return { ...message, content: text };
  }
  const parts = plainParts(content, vendor);
  return parts === content ? message : { ...message, content: parts };
}

/** The fields of earlier reasoning, under all their names. */
const THOUGHTS: ReadonlySet<string> = new Set(["reasoning_content", "reasoning", "reasoning_details"]);

/**
 * Calls and reasoning are written again from their neutral form, over the given content and unknown fields. A turn
 * without any is kept, except for empty fields and those that the vendor refuses.
 */
function encodeTurn(neutral: Assistant, given: Fields, target: EncodeTarget): Fields {
  const isFirstForm = isFields(given["function_call"]);
  if (isFirstForm && !Array.isArray(given["tool_calls"])) return withoutFields(given, isSound);
  const hasCalls = (neutral.toolCalls?.length ?? 0) > 0;
  const hasReasoning = (neutral.reasoning?.length ?? 0) > 0;
  const { reasoningEcho } = target.vendor;
  const kept = withoutFields(given, (name, value) => {
    if (name === "tool_calls" || isSound(name)) return true;
    if (reasoningEcho !== "as_given" && THOUGHTS.has(name)) {
      // An empty reasoning text has no neutral form, but some servers require one.
      return name !== reasoningEcho || value !== "";
    }
    return isRefused(name, target) || isVoid(name, value);
  });
  const plain = plainly(withSaidParts(kept, target), target);
  if (!hasCalls && !hasReasoning) return withContent(plain, neutral);
  const encoded = {
    ...plain,
    ...encodeMessage(neutral, target),
    ...givenContent(plain, neutral, target),
    ...ownReasoning(given, target),
  };
  return hasCalls ? { ...encoded, tool_calls: encodeCalls(neutral, given, target) } : encoded;
}

/** A spoken answer: a server would look up its id among those of all its callers. Its transcript is in the text. */
function isSound(name: string): boolean {
  return name === "audio";
}

/** Refusal parts become text for a vendor that knows no refusals, or accepts only text. */
function withSaidParts(turn: Fields, target: EncodeTarget): Fields {
  const { content } = turn;
  if (!Array.isArray(content)) return turn;
  const { vendor } = target;
  const knowsRefusals = !isRefused("refusal", target) && !vendor.joinsTextOf.includes("assistant");
  const said = saidParts(content, { vendor, knowsRefusals });
  return said === content ? turn : { ...turn, content: said };
}

/** A turn without calls needs text, even if empty, unless it has other content. */
function withContent(turn: Fields, { content: text }: Assistant): Fields {
  const { content, refusal } = turn;
  const isSaid = Array.isArray(content) ? content.length > 0 : content !== null && content !== undefined;
  // For a vendor that knows no refusals, the field was removed, and the neutral text contains it.
  return isSaid || refusal ? turn : { ...turn, content: text ?? "" };
}

/** Replaces the neutral content, which is one text, if the given parts say more or it only repeats a refusal. */
function givenContent({ content, refusal }: Fields, neutral: Assistant, { vendor }: EncodeTarget): Fields {
  if (Array.isArray(content) && content.length > 0) {
    const hasReasoning = (neutral.reasoning?.length ?? 0) > 0;
    // Reasoning that came back in the ids of calls is not among the given parts.
    const isLess = vendor.reasoningEcho === "thinking_parts" && hasReasoning && !content.some(isThinking);
    return isLess ? {} : { content };
  }
  return refusal && (!content || Array.isArray(content)) ? { content: null } : {};
}

/** Reasoning that the client kept in the vendor's own form is sent back unchanged. */
function ownReasoning(given: Fields, { vendor }: EncodeTarget): Fields {
  const { reasoning_details: details, reasoning } = given;
  const isKept = vendor.reasoningEcho === "reasoning_details" && Array.isArray(details) && details.length > 0;
  if (!isKept) return {};
  return { reasoning_details: details, ...(typeof reasoning === "string" ? { reasoning } : {}) };
}

function encodeCalls({ toolCalls = [] }: Assistant, given: Fields, target: EncodeTarget): readonly Fields[] {
  const wireCalls: readonly unknown[] = Array.isArray(given["tool_calls"]) ? given["tool_calls"] : [];
  return toolCalls.map((call, at) => {
    const wireCall = (wireCalls[at] ?? {}) as Fields;
    if (wireCall["type"] === "custom" && target.vendor.customTools) {
      return { ...wireCall, id: encodeCallId(call.id, target.vendor) };
    }
    const { extra_content: extra } = wireCall;
    const encoded = encodeCall(call, target);
    const isKept =
      extra !== undefined && call.signature === undefined && target.vendor.messageFields === null;
    return isKept ? { ...encoded, extra_content: extra } : encoded;
  });
}

function encodeToolMessage(
  neutral: Extract<ChatMessage, { role: "tool" }>,
  given: Fields,
  target: EncodeTarget,
): Fields {
  const { vendor } = target;
  const message = withoutFields(given, (name) => isRefused(name, target));
  const id = encodeCallId(neutral.toolCallId, vendor);
  const { content: said } = given;
  // Most servers do not accept null or missing content: the neutral form has an empty text there.
  const isTaken = typeof said === "string" || (vendor.toolResultParts && Array.isArray(said));
  const taken =
    isTaken && Array.isArray(said) ? plainParts(resultParts(said, neutral.content), vendor) : said;
  if (isTaken && given["tool_call_id"] === id && taken === said) return message;
  if (isTaken) return { ...message, tool_call_id: id, content: taken };
  const mark = takesMarks(target) ? markOf(said) : {};
  return { ...mark, ...message, tool_call_id: id, content: encodeResult(neutral.content, vendor) };
}

/**
 * Whether the vendor accepts cache marks on a user's parts, too: for others, this would be the only mark that they get.
 */
function takesMarks(target: EncodeTarget): boolean {
  const { partFields, joinsTextOf } = target.vendor;
  return partFields === null && !joinsTextOf.includes("user") && !isRefused("cache_control", target);
}

/** The cache mark of the last part that has one: parts that are joined lose theirs. */
function markOf(parts: unknown): Fields {
  if (!Array.isArray(parts)) return {};
  const marked = parts.findLast((part) => isObject(part) && part["cache_control"] !== undefined);
  return marked === undefined ? {} : { cache_control: marked["cache_control"] };
}

function isRefused(name: string, { vendor }: EncodeTarget): boolean {
  return vendor.messageFields !== null && !vendor.messageFields.includes(name);
}
