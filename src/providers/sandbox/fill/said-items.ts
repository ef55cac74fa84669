import type { ClueReader } from "./clue-match.ts";
import { numberIn } from "./number-in.ts";
import { type SchemaNode, typeOf } from "./schema-node.ts";

/** How many items of a list the prompt says; 0 where it says none, and the list may be as long as usual. */
export function saidItems(clues: ClueReader, name: string, item: SchemaNode): number {
  if (Array.isArray(item["enum"])) return clues.options.count(name, item["enum"]);
  if (item["anyOf"] !== undefined || item["oneOf"] !== undefined || "const" in item) return 0;
  const type = typeOf(item);
  const labelled = clues.clues.labels.get(name.toLowerCase()) ?? [];
  if (type === "number" || type === "integer") {
    const isNumbers = numberIn(labelled[0] ?? "") !== undefined;
    return isNumbers ? labelled.length : clues.left("numbers");
  }
  if (type !== "string") return 0;
  return labelled.length > 0 || item["format"] !== undefined ? labelled.length : clues.left("quoted");
}
