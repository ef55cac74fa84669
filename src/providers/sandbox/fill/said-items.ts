import type { ClueReader } from "./clue-match.ts";
import type { SchemaNode } from "./schema-node.ts";

/** How many items of a list the prompt says; 0 where it says none, and the list may be as long as usual. */
export function saidItems(clues: ClueReader, item: SchemaNode): number {
  return Array.isArray(item["enum"]) ? clues.options.count(item["enum"]) : 0;
}
