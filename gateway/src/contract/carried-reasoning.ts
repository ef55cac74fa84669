import type { ReasoningPart } from "./chat.ts";

/**
 * Collects an answer's reasoning since its last tool call, to be carried in the id of the next call. A provider sends
 * the signature before the call that the reasoning leads to.
 */
export type CarriedReasoning = {
  text(text: string): void;
  /** Signs the text collected before it. */
  signature(signature: string): void;
  /** Undefined if nothing is signed, or if it is too much for an id. Starts over. */
  take(): readonly ReasoningPart[] | undefined;
};

const MAX_CHARACTERS = 64 << 10;

export function createCarriedReasoning(): CarriedReasoning {
  let parts: ReasoningPart[] = [];
  let text = "";
  let characters = 0;
  return {
    text(piece) {
      characters += piece.length;
      if (characters <= MAX_CHARACTERS) text += piece;
    },
    signature(signature) {
      characters += signature.length;
      if (characters <= MAX_CHARACTERS) parts.push({ text, signature });
      text = "";
    },
    take() {
      const carried = characters <= MAX_CHARACTERS && parts.length > 0 ? parts : undefined;
      parts = [];
      text = "";
      characters = 0;
      return carried;
    },
  };
}
