import { countedTokens } from "../../../../compaction/src/index.ts";
import type { WireRequest } from "../../contract/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";
import { hasReasoning, unsentReasoningTokens } from "./unsent-reasoning.ts";

/** Base64 characters of encrypted content per token that it hides. */
const SEALED_CHARACTERS_PER_TOKEN = 6;

/** How the input that the answering provider received differs from our own count of the prompt. */
export type SentInput = {
  readonly onSent: NonNullable<WireRequest["onSent"]>;
  /** Tokens that were sent but not counted: by their text, and never more than is held for them. */
  unseenTokens(): number;
  /** Tokens that were counted but not sent, as counted by `count`. */
  unsentTokens(count: (text: string) => number): number;
};

/** Null if it cannot differ: then the sent body is not remembered. */
export function createSentInput({ messages, unseenTokens = 0, unseenIn }: ChatPrompt): SentInput | null {
  const mayBeUnsent = hasReasoning(messages);
  if (unseenIn === undefined && !mayBeUnsent) return null;
  let sent: WireRequest["body"] | null = null;
  return {
    onSent(body) {
      sent = body;
    },
    unseenTokens() {
      if (sent === null || unseenIn === undefined) return 0;
      const { text, sealedCharacters } = unseenIn({ body: sent, messages });
      const tokens = countedTokens(text) + Math.ceil(sealedCharacters / SEALED_CHARACTERS_PER_TOKEN);
      return Math.min(tokens, unseenTokens);
    },
    unsentTokens: (count) => (mayBeUnsent ? unsentReasoningTokens(messages, sent, count) : 0),
  };
}
