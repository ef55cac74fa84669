import type { JsonObject } from "./json-fields.ts";

/** What has a neutral form; everything else is left for providers that know it by its own name. */
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
  // Written by somebody who wants to see what happens.
  "__proto__",
]);

/** Null where nothing is left, as in most requests. */
export function wireFieldsOf(body: JsonObject): JsonObject | null {
  let fields: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    if (UNDERSTOOD.has(name)) continue;
    fields ??= {};
    fields[name] = body[name];
  }
  return fields;
}
