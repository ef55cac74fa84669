import type { ClueReader } from "./clue-match.ts";
import { numberIn } from "./number-in.ts";
import { namesInRow, wantedCount } from "./schema/schema-lists.ts";
import { namedIn, type SchemaNode, typeOf } from "./schema/schema-node.ts";
import type { SchemaReader } from "./schema/schema-reader.ts";

const MAX_OBJECTS = 20;
const MAX_PROPERTIES = 16;

/** How many items of a list the prompt gives; 0 if none, so that the list has its usual length. */
export function saidItems(clues: ClueReader, name: string, item: SchemaNode, reader: SchemaReader): number {
  if (Array.isArray(item["enum"])) return clues.options.count(name, item["enum"]);
  if (item["anyOf"] !== undefined || item["oneOf"] !== undefined || "const" in item) return 0;
  const type = typeOf(item);
  const labelled = clues.clues.labels.get(name.toLowerCase()) ?? [];
  if (type === "number" || type === "integer") {
    const isNumbers = numberIn(labelled[0] ?? "") !== undefined;
    return isNumbers ? labelled.length : clues.left("numbers");
  }
  const wanted = wantedCount(name, clues.clues.text) ?? 0;
  if (type === "object") return wanted > 0 ? wanted : saidObjects(clues, item, reader);
  if (type !== "string") return 0;
  const said = labelled.length > 0 || item["format"] !== undefined ? labelled.length : clues.left("quoted");
  return said > 0 ? said : wanted;
}

/** As many as there are numbers for, or names in a row: "Tom is 20, Jerry is 30 and Spike is 40". */
function saidObjects(clues: ClueReader, item: SchemaNode, reader: SchemaReader): number {
  const kinds = Object.values(namedIn(item, "properties"))
    .slice(0, MAX_PROPERTIES)
    .map((schema) => typeOf(reader.resolve(schema)));
  const numbers = kinds.filter((kind) => kind === "number" || kind === "integer").length;
  const byNumbers = numbers === 0 ? 0 : Math.floor(clues.left("numbers") / numbers);
  const byNames = kinds.includes("string") ? namesInRow(clues.clues).length : 0;
  return Math.min(Math.max(byNumbers, byNames), MAX_OBJECTS);
}
