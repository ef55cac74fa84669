import type { ReasoningPart } from "./contract.ts";

/**
 * Collects what one answer has thought since its last tool call, for the next call's id to carry. A provider's
 * signature comes before the call that it leads to.
 */
export type CarriedReasoning = {
  text(text: string): void;
  /** Of the text before it. */
  signature(signature: string): void;
  /** Undefined where nothing of it is signed, or more than an id can carry. Begins anew. */
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
