import type { ReasoningMark } from "../../contract.ts";
import { isFields } from "../wire-fields.ts";

/**
 * An item whose encrypted content, reasoning or a compaction, is replaced by what `tell` returns; the same item if
 * there is none, or if it stays the same.
 */
export function withThoughts(item: unknown, tell: (text: string) => string | null): unknown {
  if (!isFields(item)) return item;
  const { encrypted_content: text } = item;
  if (typeof text !== "string" || text === "") return item;
  const told = tell(text);
  return told === text ? item : { ...item, encrypted_content: told };
}

/** Marks the reasoning in a provider's item as that provider's. */
export type ThoughtMarker = (item: unknown) => unknown;

export function createThoughtMarker(namespace: string, mark: ReasoningMark | undefined): ThoughtMarker {
  if (mark === undefined) return (item) => item;
  return (item) => withThoughts(item, (text) => mark.mark(text, namespace));
}
