import type { ChatMessage, ChatRequest, ContentPart, MarkPlace } from "./chat.ts";

type Marked = Pick<ChatRequest, "messages" | "tools">;
/** A message of any wire. */
type Said = { readonly role?: unknown };

/**
 * The request with marks at these places: four at most, which is as many as providers accept. The place of the call
 * before is marked as well as the end: a provider looks back only a few parts for what it has cached.
 */
export function withMarks<Request extends Marked>(request: Request, places: readonly MarkPlace[]): Request {
  if (places.length === 0) return request;
  const { messages, tools = [] } = request;
  const marked = new Set<ChatMessage | undefined>();
  if (places.includes("beginning")) marked.add(messages[beginningEnd(messages) - 1]);
  if (places.includes("last turn")) marked.add(messages[lastTurnEnd(messages)]);
  if (places.includes("end")) marked.add(messages.at(-1));
  const marksTools = places.includes("beginning") && tools.length > 0;
  return {
    ...request,
    messages: messages.map((message) =>
      marked.has(message) && message.role !== "assistant" ? { ...message, cache: true } : message,
    ),
    ...(marksTools
      ? { tools: tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, cache: true } : tool)) }
      : {}),
  };
}

/** Index of the first message of the conversation, behind all instructions. */
export function beginningEnd(messages: readonly Said[]): number {
  const at = messages.findIndex((message) => !isInstruction(message));
  return at === -1 ? messages.length : at;
}

/** Index of the last message that the call before this one had; -1 if this is the first. */
export function lastTurnEnd(messages: readonly Said[]): number {
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  const at = messages.findLastIndex(({ role }, index) => index < lastAnswer && role !== "assistant");
  return at < beginningEnd(messages) ? -1 : at;
}

/**
 * Whether we may mark it: not if its caller has marked anything, nor if instructions are added along the way. These
 * are sent first, so they change the beginning, and whatever is cached is never read.
 */
export function mayBeMarked({ messages, tools = [], wireFields = {} }: ChatRequest): boolean {
  if (typeof wireFields["cache_control"] === "object" && wireFields["cache_control"] !== null) return false;
  if (messages.slice(beginningEnd(messages)).some(isInstruction)) return false;
  return !tools.some(({ cache }) => cache) && !messages.some(isMarked);
}

function isMarked(message: ChatMessage): boolean {
  if (message.role === "assistant") return false;
  if (message.cache === true || ("cacheAt" in message && message.cacheAt !== undefined)) return true;
  return typeof message.content !== "string" && message.content.some(isMarkedPart);
}

function isMarkedPart(part: ContentPart): boolean {
  return part.type !== "other" && part.cache === true;
}

function isInstruction({ role }: Said): boolean {
  return role === "system" || role === "developer";
}
