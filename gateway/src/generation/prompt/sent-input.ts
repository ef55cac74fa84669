import { countedTokens } from "../../../../compaction/src/index.ts";
import type { ChatMessage, ReasoningPart, WireRequest } from "../../contract/index.ts";
import { textsOf } from "../../kit/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

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
  const reasoning = messages.map(reasoningOf).filter((parts) => parts.length > 0);
  if (unseenIn === undefined && reasoning.length === 0) return null;
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
    unsentTokens: (count) => unsentIn(reasoning, sent).reduce((tokens, { text }) => tokens + count(text), 0),
  };
}

type Parts = readonly ReasoningPart[];

function reasoningOf(message: ChatMessage): Parts {
  return (message.role === "assistant" ? message.reasoning : undefined) ?? [];
}

/**
 * The reasoning of earlier turns that the answering provider did not receive: some servers take all of it back, some
 * only what they have signed, most none. `sent` is the body that went out; null if unknown, which means a provider
 * that takes back only signed reasoning.
 */
function unsentIn(turns: readonly Parts[], sent: WireRequest["body"] | null): Parts {
  if (sent === null) return turns.flat().filter(({ signature }) => signature === undefined);
  const texts = textsOf(sent);
  // Most servers take the reasoning of a turn as one text.
  return turns
    .filter((parts) => !texts.has(parts.map(({ text }) => text).join("")))
    .flatMap((parts) => parts.filter(({ text }) => !texts.has(text)));
}
