import type { ReasoningMark } from "../../contract.ts";
import { isFields } from "../wire-fields.ts";

/**
 * An item with what is encrypted in it, thoughts or a compaction, told in another way; the very item where there is
 * nothing, or it stays.
 */
export function withThoughts(item: unknown, tell: (text: string) => string | null): unknown {
  if (!isFields(item)) return item;
  const { encrypted_content: text } = item;
  if (typeof text !== "string" || text === "") return item;
  const told = tell(text);
  return told === text ? item : { ...item, encrypted_content: told };
}

/** Marks the thoughts in an item that a provider has answered as that provider's. */
export type ThoughtMarker = (item: unknown) => unknown;

export function createThoughtMarker(namespace: string, mark: ReasoningMark | undefined): ThoughtMarker {
  if (mark === undefined) return (item) => item;
  return (item) => withThoughts(item, (text) => mark.mark(text, namespace));
}
