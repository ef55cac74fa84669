import type { ReasoningPart } from "../../providers/index.ts";
import { createOpeningBudget, createSealedText, type OpeningBudget, type SealedText } from "./sealed-text.ts";

/** A reasoning item's `encrypted_content`: what the model thought, with its provider's signatures. */
export type ReasoningSeal = {
  /** Null where there is nothing to carry, or more than the bound. */
  seal(parts: readonly ReasoningPart[]): string | null;
  /**
   * Null for a foreign text, which only its own upstream understands. Empty for one of ours that does not open
   * (changed, sealed with another secret, beyond the bound): nobody understands it any more.
   */
  open(text: string): readonly ReasoningPart[] | null;
  /** The same for the items of one request, which together may hold a bounded amount: beyond it none is opened. */
  forRequest(): ReasoningSeal;
};

const MAX_CARRIED_BYTES = 256 << 10;
/** With the version of what is behind it; no base64 of another service begins like this. */
const MARK = "b1-";
const PLACE = "reasoning";

export function createReasoningSeal(secret: string): ReasoningSeal {
  return sealWith(createSealedText({ secret, purpose: "reasoning", maxBytes: MAX_CARRIED_BYTES }), null);
}

function sealWith(sealed: SealedText, budget: OpeningBudget | null): ReasoningSeal {
  return {
    seal(parts) {
      if (parts.length === 0) return null;
      const text = sealed.seal(JSON.stringify(parts), PLACE);
      return text === null ? null : MARK + text;
    },
    open(text) {
      if (!text.startsWith(MARK)) return null;
      const parts = sealed.open(text.slice(MARK.length), PLACE, budget ?? createOpeningBudget());
      // Sealed by us and unchanged: read without a schema.
      return parts === null ? [] : (JSON.parse(parts) as ReasoningPart[]);
    },
    forRequest: () => sealWith(sealed, createOpeningBudget()),
  };
}
