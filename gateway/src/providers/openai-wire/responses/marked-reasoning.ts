import type { ReasoningMark } from "../../../contract/index.ts";
import { isFields } from "../../../wires/index.ts";

/**
 * An item whose encrypted content, reasoning or a compaction, is replaced by what `replace` returns; the same item if
 * there is none, or if it stays the same.
 */
export function withEncrypted(item: unknown, replace: (text: string) => string | null): unknown {
  if (!isFields(item)) return item;
  const { encrypted_content: text } = item;
  if (typeof text !== "string" || text === "") return item;
  const replaced = replace(text);
  return replaced === text ? item : { ...item, encrypted_content: replaced };
}

/** Marks the reasoning in a provider's item as that provider's. */
export type ReasoningMarker = (item: unknown) => unknown;

export function createReasoningMarker(namespace: string, mark: ReasoningMark | undefined): ReasoningMarker {
  if (mark === undefined) return (item) => item;
  return (item) => withEncrypted(item, (text) => mark.mark(text, namespace));
}
