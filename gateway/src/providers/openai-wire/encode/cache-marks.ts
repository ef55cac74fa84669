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
