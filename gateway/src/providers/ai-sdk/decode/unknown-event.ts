import { isObject } from "../../../kit/index.ts";

/** An event that can be skipped, and the block whose deltas are skipped with it. */
export type Skipped = { readonly block?: string };

const EVENTS: ReadonlySet<unknown> = new Set([
  ...["message_start", "message_delta", "message_stop", "error", "ping"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);
/** The blocks of an answer; all others belong to tools that the provider runs, or are newer than this code. */
const BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const DELTAS: ReadonlySet<unknown> = new Set([
  ...["text_delta", "thinking_delta", "signature_delta", "input_json_delta"],
]);

/**
 * Anthropic adds events, blocks and deltas within an API version, and asks clients to ignore those that they do not
 * know. Null for an event that carries part of the answer or its usage: it would be missing if it cannot be read.
 */
export function skipUnknown(event: unknown): Skipped | null {
  if (!isObject(event) || typeof event["type"] !== "string") return null;
  switch (event["type"]) {
    case "content_block_start":
      return isOther(event["content_block"], BLOCKS) ? { block: String(event["index"]) } : null;
    case "content_block_delta":
      return isOther(event["delta"], DELTAS) ? {} : null;
    default:
      return EVENTS.has(event["type"]) ? null : {};
  }
}

function isOther(part: unknown, known: ReadonlySet<unknown>): boolean {
  return isObject(part) && typeof part["type"] === "string" && !known.has(part["type"]);
}
