import type { ClueReader } from "./clue-match.ts";
import { type SchemaNode, typeOf } from "./schema-node.ts";

/** How many items of a list the prompt says; 0 where it says none, and the list may be as long as usual. */
export function saidItems(clues: ClueReader, item: SchemaNode): number {
  if (Array.isArray(item["enum"])) return clues.options.count(item["enum"]);
  if (item["anyOf"] !== undefined || item["oneOf"] !== undefined || "const" in item) return 0;
  const type = typeOf(item);
  if (type === "number" || type === "integer") return clues.left("numbers");
  return type === "string" && item["format"] === undefined ? clues.left("quoted") : 0;
}
