import { isObject } from "../../kit/index.ts";

/** An event that can be read past, and the block whose pieces go with it. */
export type Skipped = { readonly block?: string };

const EVENTS: ReadonlySet<unknown> = new Set([
  ...["message_start", "message_delta", "message_stop", "error", "ping"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);
/** What an answer consists of; every other block is of tools that the provider runs, or newer than this. */
const BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const DELTAS: ReadonlySet<unknown> = new Set([
  ...["text_delta", "thinking_delta", "signature_delta", "input_json_delta"],
]);

/**
 * Anthropic adds events, blocks and pieces of blocks within a version, and asks clients to go on without those that they do
 * not know. Null for an event that says something of the answer or of its usage: it is missed where it cannot be read.
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
