import { countedTokens } from "../../efficiency/index.ts";
import type { WireRequest } from "../../providers/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";
import { hasThoughts, unsentThoughtTokens } from "./unsent-thoughts.ts";

/** Base64 characters of encrypted text per token that they hide. */
const SEALED_CHARACTERS_PER_TOKEN = 6;

/** How the input of the provider that answers differs from our own count of the prompt. */
export type SentInput = {
  readonly onSent: NonNullable<WireRequest["onSent"]>;
  /** Sent and not counted: by its words, never more than is held for. */
  unseenTokens(): number;
  /** Counted, in the way that `count` does, and not sent. */
  unsentTokens(count: (text: string) => number): number;
};

/** Null where it cannot differ: then nothing of what is sent is remembered. */
export function createSentInput({ messages, unseenTokens = 0, unseenIn }: ChatPrompt): SentInput | null {
  const mayBeUnsent = hasThoughts(messages);
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
    unsentTokens: (count) => (mayBeUnsent ? unsentThoughtTokens(messages, sent, count) : 0),
  };
}
