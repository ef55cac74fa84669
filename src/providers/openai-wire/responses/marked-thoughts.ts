import type { ReasoningMark } from "../../contract.ts";
import type { Fields } from "../wire-fields.ts";

/**
 * An item with what is encrypted in it, thoughts or a compaction, told in another way; the very item where there is
 * nothing, or it stays.
 */
export function withThoughts(item: unknown, tell: (text: string) => string | null): unknown {
  if (typeof item !== "object" || item === null) return item;
  const { encrypted_content: text } = item as Fields;
  if (typeof text !== "string" || text === "") return item;
  const told = tell(text);
  return told === text ? item : { ...item, encrypted_content: told };
}

/** Marks the thoughts of what a provider has answered as that provider's. */
export type ThoughtMarker = {
  item(item: unknown): unknown;
  /** A whole response. */
  response(given: unknown): unknown;
};

export function createThoughtMarker(namespace: string, mark: ReasoningMark | undefined): ThoughtMarker {
  if (mark === undefined) return { item: (item) => item, response: (given) => given };
  const item = (given: unknown) => withThoughts(given, (text) => mark.mark(text, namespace));
  return {
    item,
    response(given) {
      const output = typeof given === "object" && given !== null ? (given as Fields)["output"] : undefined;
      return Array.isArray(output) ? { ...(given as Fields), output: output.map(item) } : given;
    },
  };
}
