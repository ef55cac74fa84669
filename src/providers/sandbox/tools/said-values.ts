/** Whether a prompt says what a call acts on: what is made up there would be done to something that nobody meant. */

import { isObject } from "../../../kit/index.ts";
import type { Clues } from "../fill/clues.ts";
import { identifierWords } from "../fill/identifier.ts";
import { requiredOf, type SchemaNode, typeOf } from "../fill/schema-node.ts";
import type { SchemaReader } from "../fill/schema-reader.ts";
import type { JsonValue } from "../fill/schema-value.ts";
import { BEFORE_NUMBER } from "./said-arguments.ts";

const setOf = (line: string) => new Set(line.split(" "));
/** What even a tool that only tells something cannot guess. */
const NAMING = setOf("id path file filename filepath url uri table repo repository branch");
const MONEYS = setOf("amount price total");
const COUNTED = new Set([...MONEYS, ...setOf("id number account")]);
const MOMENTS = setOf("date day time deadline when");
/** Keep to a few values, of which any will do. */
const BOUND = ["format", "enum", "const", "pattern", "default"];

/** The first argument that must be there, says what is acted on, and is not said. */
export function unsaidArgument(
  reader: SchemaReader,
  value: JsonValue,
  { prompt, labels }: Clues,
  tells: boolean,
): string | undefined {
  if (!isObject(value)) return undefined;
  const node = reader.resolve(reader.root);
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const text = prompt.toLowerCase().replace(/(?<=\d),(?=\d)/g, "");
  const isSaid = (each: unknown): boolean => {
    if (Array.isArray(each)) return each.every(isSaid);
    if (isObject(each)) return Object.values(each).every((part) => isSaid(part) && part !== prompt);
    return typeof each !== "string" || text.includes(each.toLowerCase().replace(/(?<=\d),(?=\d)/g, ""));
  };
  return requiredOf(node).find((name) => {
    const schema = reader.resolve(properties[name]);
    if (labels.has(name.toLowerCase()) || !isActedOn(name, schema, tells)) return false;
    const each = value[name];
    const before = MONEYS.has(name) ? "" : BEFORE_NUMBER;
    return typeof each === "number" ? !new RegExp(`${before}${each}(?!\\w)`).test(text) : !isSaid(each);
  });
}

function isActedOn(name: string, schema: SchemaNode, tells: boolean): boolean {
  const has = (words: ReadonlySet<string>) => identifierWords(name).some((word) => words.has(word));
  if (has(MOMENTS) || BOUND.some((key) => schema[key] !== undefined)) return false;
  const type = typeOf(schema);
  if (type === "integer" || type === "number") return has(COUNTED) && !tells;
  return tells ? has(NAMING) : type !== "boolean";
}
