import type { Compaction, CompactionLevel, CompactionOptions } from "./compaction.ts";
import { createConversation, type Hold, mayChange } from "./conversation.ts";
import type { ChatMessage } from "./message.ts";
import { allTokenSteps, charactersOf } from "./message-size.ts";
import { finishSteps, type Steps } from "./steps.ts";

/**
 * A longer message stays as it is, and nothing refers to it: reading one takes up to half a microsecond per character,
 * and cannot be interrupted.
 */
export const LONGEST_READ = 300_000;
/**
 * So does every message that begins after this many characters: the longest contexts there are hold no more, and what
 * is kept of each line takes memory.
 */
export const MOST_READ = 10_000_000;

/**
 * Fewer tokens, same meaning. The form of a message depends only on it and on the messages before it, so that
 * `compact(messages.slice(0, k))` is a prefix of `compact(messages)` and a provider's prompt cache keeps working. No
 * clock, no randomness, no state between calls except the token counts that `count` may remember. Time is linear in
 * the text. A level alone means it with references.
 */
export function compact<Message extends ChatMessage>(
  messages: readonly Message[],
  how: CompactionLevel | CompactionOptions,
): Compaction<Message> {
  const options = typeof how === "string" ? { level: how, references: true } : how;
  return finishSteps(compactionSteps(messages, options));
}

/** The same in steps, none of which takes long. */
export function* compactionSteps<Message extends ChatMessage>(
  messages: readonly Message[],
  options: CompactionOptions,
): Steps<Compaction<Message>> {
  if (mayChangeAny(messages, options)) return yield* changeSteps(messages, options);
  return unchanged(messages, yield* allTokenSteps(messages, options.count));
}

function* changeSteps<Message extends ChatMessage>(
  messages: readonly Message[],
  options: CompactionOptions,
): Steps<Compaction<Message>> {
  const conversation = createConversation(options);
  const changed: number[] = [];
  const compacted: Message[] = [];
  let characters = 0;
  for (const [at, message] of messages.entries()) {
    const size = charactersOf(message);
    if (size > LONGEST_READ || characters > MOST_READ) {
      yield* conversation.leaveSteps(message);
      compacted.push(message);
    } else {
      // The same message, or a copy of it with other texts.
      const read = conversation.read(message, holdOn(at, options)) as Message;
      if (read !== message) changed.push(at);
      compacted.push(read);
    }
    characters += size;
    yield;
  }
  conversation.end();
  const { original: originalTokens, compacted: compactedTokens } = conversation.tokens;
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

function unchanged<Message extends ChatMessage>(
  messages: readonly Message[],
  tokens: number,
): Compaction<Message> {
  return {
    messages,
    changed: NONE,
    originalTokens: tokens,
    compactedTokens: tokens,
    tokensSaved: 0,
    actions: NONE,
  };
}
