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
  const indexes = new Set(places.map((place) => INDEX_OF[place](messages)));
  const marksTools = places.includes("beginning") && tools.length > 0;
  return {
    ...request,
    messages: messages.map((message, at) =>
      indexes.has(at) && message.role !== "assistant" ? { ...message, cache: true } : message,
    ),
    ...(marksTools
      ? { tools: tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, cache: true } : tool)) }
      : {}),
  };
}

/** Where the message is that ends a place; -1 if there is none. Wherever instructions are, they are sent first. */
export const INDEX_OF: Readonly<Record<MarkPlace, (messages: readonly Said[]) => number>> = {
  beginning: (messages) => messages.findLastIndex(isInstruction),
  "last turn": (messages) => {
    const answer = messages.findLastIndex(({ role }) => role === "assistant");
    return messages.findLastIndex(
      (message, at) => at < answer && message.role !== "assistant" && !isInstruction(message),
    );
  },
  end: (messages) => messages.findLastIndex((message) => !isInstruction(message)),
};

export function isInstruction({ role }: Said): boolean {
  return role === "system" || role === "developer";
}

/** Whether its caller has marked anything: then nothing of it is marked by us. */
export function isMarkedByCaller({ messages, tools = [], wireFields = {} }: ChatRequest): boolean {
  const { cache_control: wish } = wireFields;
  if (typeof wish === "object" && wish !== null) return true;
  return tools.some(({ cache }) => cache) || messages.some(isMarked);
}

function isMarked(message: ChatMessage): boolean {
  if (message.role === "assistant") return false;
  if (message.cache === true || ("cacheAt" in message && message.cacheAt !== undefined)) return true;
  return typeof message.content !== "string" && message.content.some(isMarkedPart);
}

function isMarkedPart(part: ContentPart): boolean {
  return part.type !== "other" && part.cache === true;
}
