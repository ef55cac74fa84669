import { estimateTokens } from "../efficiency/index.ts";
import type { WireRequest } from "../providers/index.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

/** Characters of what is encrypted, in base64, for each token that it hides. */
const SEALED_CHARACTERS_PER_TOKEN = 6;

/** Input that our own count of the prompt does not see. */
export type UnseenInput = {
  readonly onSent: NonNullable<WireRequest["onSent"]>;
  /** By its words, of what was sent to whoever answers; never more than is held for. */
  tokens(): number;
};

/** Null where there is none: then nothing of what is sent is remembered. */
export function createUnseenInput({ unseenTokens, unseenIn }: ChatPrompt): UnseenInput | null {
  if (unseenTokens === undefined || unseenIn === undefined) return null;
  let sent: WireRequest["body"] | null = null;
  return {
    onSent(body) {
      sent = body;
    },
    tokens() {
      if (sent === null) return 0;
      const { text, sealedCharacters } = unseenIn(sent);
      const tokens = estimateTokens(text) + Math.ceil(sealedCharacters / SEALED_CHARACTERS_PER_TOKEN);
      return Math.min(tokens, unseenTokens);
    },
  };
}
