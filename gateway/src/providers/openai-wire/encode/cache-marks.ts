import { INDEX_OF, type MarkPlace } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import type { Fields } from "../../../wires/index.ts";

/** Fields in which cache marks can be, at any depth; not in schemas and arguments. */
const HOLDERS = [
  ...["messages", "system", "input", "tools", "content", "output", "function", "image_url"],
  ...["tool_calls", "function_call", "thinking_blocks", "reasoning_details"],
] as const;
/** A gateway passes these on to its own providers: cache marks as well, and much else that has no price. */
const OPTIONS = ["providerOptions", "provider_options"] as const;
const SHORT_MARK = { type: "ephemeral" };

/**
 * The body with Anthropic's cache marks limited to five minutes, which is what our prices cover: an hour costs more.
 * Some servers of this wire pass marks on; some take them in options of their own, which are removed. The same object
 * if nothing changes.
 */
export function withShortMarks<Body extends Fields>(body: Body): Body {
  let changed: Record<string, unknown> | null = null;
  const { cache_control: mark } = body;
  if (isObject(mark) && isLong(mark)) changed = { ...body, cache_control: SHORT_MARK };
  for (const name of OPTIONS) {
    if (body[name] === undefined) continue;
    changed ??= { ...body };
    delete changed[name];
  }
  for (const name of HOLDERS) {
    const held = body[name];
    // Any other `input` is the arguments of a call.
    if (name === "input" && !Array.isArray(held)) continue;
    const short = Array.isArray(held) ? shortened(held) : isObject(held) ? withShortMarks(held) : held;
    if (short !== held) changed = { ...(changed ?? body), [name]: short };
  }
  return (changed ?? body) as Body;
}

function shortened(list: readonly unknown[]): readonly unknown[] {
  const short = list.map((each) => (isObject(each) ? withShortMarks(each) : each));
  return short.some((each, at) => each !== list[at]) ? short : list;
}

function isLong(mark: Fields): boolean {
  return Object.keys(mark).some((name) => name !== "type") || mark["type"] !== SHORT_MARK.type;
}

/** The body of a chat completion with marks at these places; its caller has set none. A mark covers the tools as well. */
export function withMarksAt<Body extends Fields>(body: Body, places: readonly MarkPlace[]): Body {
  const messages: unknown = body["messages"];
  if (!Array.isArray(messages) || places.length === 0) return body;
  const indexes = new Set(places.map((place) => INDEX_OF[place](messages)));
  return {
    ...body,
    messages: messages.map((message: Fields, at) => (indexes.has(at) ? marked(message) : message)),
  };
}

/** What is to be continued stays as it is, and so does what has no text. */
function marked(message: Fields): Fields {
  const { role, content } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (role === "assistant" || !content || !Array.isArray(parts) || !isObject(parts.at(-1))) return message;
  return { ...message, content: [...parts.slice(0, -1), { ...parts.at(-1), cache_control: SHORT_MARK }] };
}
