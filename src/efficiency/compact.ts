import type { ChatMessage } from "../providers/index.ts";
import type { Compaction, CompactionOptions } from "./compaction.ts";
import { createConversation, type Hold, mayChange } from "./conversation.ts";
import { messageTokens } from "./message-size.ts";

/**
 * Fewer tokens, same meaning. The form of a message depends only on that message and those before it. So
 * `compact(messages.slice(0, k))` is the beginning of `compact(messages)`, and a provider's cache keeps working. There
 * is no clock, no randomness and no memory between calls, except that `count` may remember the counts of texts. Time is
 * linear in the text.
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
