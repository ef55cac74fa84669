import type { ChatMessage } from "../providers/index.ts";
import type { Compaction, CompactionOptions } from "./compaction.ts";
import { createConversation, type Hold, mayChange } from "./conversation.ts";
import { messageTokens } from "./message-size.ts";

/**
 * Fewer tokens, same meaning. The form of a message depends only on it and on the messages before it, so that
 * `compact(messages.slice(0, k))` is a prefix of `compact(messages)` and a provider's prompt cache keeps working. No
 * clock, no randomness, no state between calls except the token counts that `count` may remember. Time is linear in
 * the text.
 */
export function compact(messages: readonly ChatMessage[], options: CompactionOptions): Compaction {
  if (!mayChangeAny(messages, options)) return leave(messages, options);
  const conversation = createConversation(options);
  const changed: number[] = [];
  const compacted = messages.map((message, at) => {
    const read = conversation.read(message, holdOn(at, options));
    if (read !== message) changed.push(at);
    return read;
  });
  conversation.end();
  const { originalTokens, compactedTokens } = conversation;
  return {
    messages: changed.length === 0 ? messages : compacted,
    changed,
    originalTokens,
    compactedTokens,
    tokensSaved: originalTokens - compactedTokens,
    actions: [...conversation.actions].sort(),
  };
}

function holdOn(at: number, { isPutTogether, isFixed }: CompactionOptions): Hold {
  if (isPutTogether?.(at) === true) return "unnamed";
  return isFixed?.(at) === true ? "fixed" : "free";
}

/** A plain loop, since nearly every call ends here. */
function mayChangeAny(messages: readonly ChatMessage[], options: CompactionOptions): boolean {
  for (const message of messages) if (mayChange(message, options)) return true;
  return false;
}

const NONE: readonly never[] = [];

function leave(messages: readonly ChatMessage[], { count }: CompactionOptions): Compaction {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message, count);
  return {
    messages,
    changed: NONE,
    originalTokens: tokens,
    compactedTokens: tokens,
    tokensSaved: 0,
    actions: NONE,
  };
}
