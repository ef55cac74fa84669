import type { JsonObject } from "./json-fields.ts";

/** Fields that have a neutral form; all others are left for providers that know them by name. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "stop",
  "tools",
  "tool_choice",
  "functions",
  "function_call",
  "response_format",
  "reasoning_effort",
  "temperature",
  "top_p",
  "seed",
  // Never passed on: only sent by somebody who is probing.
  "__proto__",
]);

/** Null if there are no such fields, as in most requests. */
export function wireFieldsOf(body: JsonObject): JsonObject | null {
  let fields: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    if (UNDERSTOOD.has(name)) continue;
    fields ??= {};
    fields[name] = body[name];
  }
  return fields;
}
