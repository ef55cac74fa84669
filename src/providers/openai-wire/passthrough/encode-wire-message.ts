import { assert, isObject } from "../../../kit/index.ts";
import type { ChatMessage, ChatRequest, WireRequest } from "../../contract.ts";
import {
  encodeCall,
  encodeCallId,
  encodeFile,
  encodeMessage,
  encodeResult,
  joinedText,
} from "../encode-message.ts";
import type { EncodeTarget } from "../encode-target.ts";
import { withLostThoughts } from "../lost-thoughts.ts";
import type { WireVendor } from "../vendor.ts";

type Fields = Readonly<Record<string, unknown>>;
type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/**
 * The caller's own messages, as they are but for what this vendor refuses; what needs no repair is not copied. Ids of
 * tool calls and what was sealed in them come from the neutral messages, which stand in the same order.
 */
export function encodeWireMessages(
  request: ChatRequest,
  wire: WireRequest,
  target: EncodeTarget,
): readonly Fields[] {
  const given: unknown = wire.body["messages"];
  const { messages } = request;
  assert(Array.isArray(given) && given.length === messages.length, "each message has its neutral form");
  const encoded = messages.map((message, at) => encodeWireMessage(message, given[at], target));
  return withLostThoughts(encoded, target.vendor);
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

/** With the fields that the vendor knows, and content in a form that it takes. */
function plainly(given: Fields, target: EncodeTarget): Fields {
  const { vendor } = target;
  const message = withoutFields(given, (name) => isRefused(name, target));
  const content = message["content"];
  if (!Array.isArray(content)) return message;
  if (vendor.joinsTextOf.includes(String(message["role"]))) {
    // A model wrote no line between the parts of what it said.
    const text = joinedText(content, message["role"] === "assistant" ? "" : "\n");
    if (text !== null) return { ...message, content: text };
  }
  const parts = plainParts(content, vendor);
  return parts === content ? message : { ...message, content: parts };
}

/** The same list where nothing changes. */
function plainParts(parts: readonly unknown[], vendor: WireVendor): readonly unknown[] {
  const { filePart, partDrops } = vendor;
  if (filePart === "file" && partDrops.length === 0) return parts;
  const plain = parts.map((part) => {
    if (filePart !== "file" && isDocument(part)) return encodeFile(documentOf(part), vendor);
    return isObject(part) ? withoutFields(part, (name) => partDrops.includes(name)) : part;
  });
  return plain.every((part, at) => part === parts[at]) ? parts : plain;
}

/** A document in the wire's own form, with its bytes. */
function isDocument(part: unknown): part is { readonly file: { filename?: string; file_data: string } } {
  if (typeof part !== "object" || part === null) return false;
  const { type, file } = part as Fields;
  const data = typeof file === "object" && file !== null ? (file as Fields)["file_data"] : undefined;
  return type === "file" && typeof data === "string";
}

function documentOf({ file }: { readonly file: { filename?: string; file_data: string } }) {
  const { filename, file_data: data } = file;
  return { type: "file" as const, data, ...(typeof filename === "string" ? { filename } : {}) };
}

/** What tells of earlier thoughts, under all of its names. */
const THOUGHTS: ReadonlySet<string> = new Set(["reasoning_content", "reasoning", "reasoning_details"]);

/**
 * Calls and thoughts are written anew from their neutral form, over what was said and the fields that we do not know;
 * a turn without any stays, but for fields that say nothing, or that the vendor refuses.
 */
function encodeTurn(neutral: Assistant, given: Fields, target: EncodeTarget): Fields {
  const isFirstForm = typeof given["function_call"] === "object" && given["function_call"] !== null;
  if (isFirstForm && !Array.isArray(given["tool_calls"])) return given;
  const hasCalls = (neutral.toolCalls?.length ?? 0) > 0;
  const hasThoughts = (neutral.reasoning?.length ?? 0) > 0;
  const { reasoningEcho } = target.vendor;
  const kept = withoutFields(given, (name, value) => {
    if (name === "tool_calls") return true;
    if (reasoningEcho !== "as_given" && THOUGHTS.has(name)) {
      // No neutral form says that nothing was thought: some servers want it said.
      return name !== reasoningEcho || value !== "";
    }
    return isRefused(name, target) || isVoid(name, value);
  });
  const plain = plainly(withKnownRefusals(kept, target), target);
  if (!hasCalls && !hasThoughts) return withContent(plain, neutral);
  const encoded = {
    ...plain,
    ...encodeMessage(neutral, target),
    ...givenContent(plain, target),
    ...ownThoughts(given, target),
  };
  return hasCalls ? { ...encoded, tool_calls: encodeCalls(neutral, given, target) } : encoded;
}

/** A refusal is a text to a vendor that knows no refusals, or takes texts alone. */
function withKnownRefusals(turn: Fields, target: EncodeTarget): Fields {
  const { content } = turn;
  const isKnown = !isRefused("refusal", target) && !target.vendor.joinsTextOf.includes("assistant");
  if (isKnown || !Array.isArray(content) || !content.some(isRefusal)) return turn;
  const said = content.map((part) => (isRefusal(part) ? { type: "text", text: part["refusal"] } : part));
  return { ...turn, content: said };
}

function isRefusal(part: Fields | null): boolean {
  return part?.["type"] === "refusal";
}

/** A turn without calls needs a text, if only an empty one, unless it is said in another way. */
function withContent(turn: Fields, { content: text }: Assistant): Fields {
  const { content, refusal, audio } = turn;
  const isSaid = Array.isArray(content) ? content.length > 0 : content !== null && content !== undefined;
  // A refusal is a text to a vendor that knows no refusals.
  return isSaid || refusal || audio ? turn : { ...turn, content: text ?? "" };
}

/** Where the neutral form, one text, says less than what was given, or says it again. */
function givenContent({ content, refusal }: Fields, { vendor }: EncodeTarget): Fields {
  const { reasoningEcho } = vendor;
  const takesThoughts = reasoningEcho === "as_given" || reasoningEcho === "thinking_parts";
  if (Array.isArray(content) && content.length > 0) {
    return takesThoughts || content.every(isSaid) ? { content } : {};
  }
  return refusal && (!content || Array.isArray(content)) ? { content: null } : {};
}

/** Thoughts may stand in parts, too. */
function isSaid(part: Fields | null): boolean {
  return part?.["type"] === "text" || isRefusal(part);
}

/** Thoughts that the client kept in the vendor's own form go back as it kept them. */
function ownThoughts(given: Fields, { vendor }: EncodeTarget): Fields {
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
  // Null and nothing are no content to most servers: the neutral form has an empty text there.
  const isTaken = typeof said === "string" || (vendor.toolResultParts && Array.isArray(said));
  const taken = Array.isArray(said) ? plainParts(said, vendor) : said;
  if (isTaken && given["tool_call_id"] === id && taken === said) return message;
  const content = isTaken ? taken : encodeResult(neutral.content, vendor);
  return { ...message, tool_call_id: id, content };
}

function isRefused(name: string, { vendor }: EncodeTarget): boolean {
  return vendor.messageFields !== null && !vendor.messageFields.includes(name);
}

/** Clients echo our replies, where these stand empty; not every server knows them. */
function isVoid(name: string, value: unknown): boolean {
  return name !== "content" && (value === null || (Array.isArray(value) && value.length === 0));
}

/** The same object where nothing goes. */
function withoutFields(given: Fields, goes: (name: string, value: unknown) => boolean): Fields {
  let hasAny = false;
  for (const name in given) hasAny ||= goes(name, given[name]);
  if (!hasAny) return given;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !goes(name, value)));
}
