import { createHmac, hkdfSync } from "node:crypto";
import type { ReasoningMark, ReasoningPart } from "../../../contract/index.ts";
import { createOpeningBudget, createSealedText, type OpeningBudget, type SealedText } from "./sealed-text.ts";

/**
 * A reasoning item's `encrypted_content`: the model's reasoning with its provider's signatures. If a provider of this
 * wire has encrypted it itself, it is the provider's own text after a mark that says whose it is.
 */
export type ReasoningSeal = ReasoningMark & {
  /** Null if there is nothing to carry, or more than the limit. */
  seal(parts: readonly ReasoningPart[]): string | null;
  /**
   * Null for a foreign text, which only its own upstream understands. Empty for one of ours that does not open
   * (changed, sealed with another secret, beyond the limit): nobody understands it any more.
   */
  open(text: string): readonly ReasoningPart[] | null;
  /** The same for the items of one request, which may hold a limited amount in total: beyond it, none is opened. */
  forRequest(): ReasoningSeal;
};

const MAX_CARRIED_BYTES = 256 << 10;
/** Includes the version of what follows it. No other service's base64 begins like this. */
const MARK = "b1-";
const PLACE = "reasoning";

export function createReasoningSeal(secret: string): ReasoningSeal {
  const sealed = createSealedText({ secret, purpose: "reasoning", maxBytes: MAX_CARRIED_BYTES });
  return sealWith(sealed, createMark(secret), null);
}

function sealWith(sealed: SealedText, mark: ReasoningMark, budget: OpeningBudget | null): ReasoningSeal {
  return {
    ...mark,
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
    forRequest: () => sealWith(sealed, mark, createOpeningBudget()),
  };
}

const OWNED = "b1p-";
const KEY_BYTES = 32;
const TAG_CHARACTERS = 16;

/** The encrypted text as its provider wrote it, without our mark. */
export function withoutMark(text: string): string {
  return text.startsWith(OWNED) ? text.slice(OWNED.length + TAG_CHARACTERS + "-".length) : text;
}

/**
 * A tag stands for the provider's name, which clients must not see. The text needs no seal of ours: its provider
 * verifies it, and by changing the tag a client can only send the provider what it could have sent without one.
 */
function createMark(secret: string): ReasoningMark {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "bursar reasoning mark", KEY_BYTES));
  /** One entry per provider. */
  const heads = new Map<string, string>();

  function headOf(namespace: string): string {
    return heads.getOrInsertComputed(namespace, () => {
      const tag = createHmac("sha256", key).update(namespace).digest("base64url").slice(0, TAG_CHARACTERS);
      return `${OWNED}${tag}-`;
    });
  }

  return {
    mark: (text, namespace) => headOf(namespace) + text,
    unmark(text, namespace) {
      if (!text.startsWith(OWNED)) return text;
      const head = headOf(namespace);
      return text.startsWith(head) ? text.slice(head.length) : null;
    },
  };
}
