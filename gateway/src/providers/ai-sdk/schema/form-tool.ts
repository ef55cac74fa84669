import type { JSONSchema7 } from "@ai-sdk/provider";
import { isObject } from "../../../kit/index.ts";
import { CHOICES, MAPS_OF_SCHEMAS, VALUES } from "../../schema-keywords.ts";
import { isDefinitionsWord } from "./definitions.ts";
import { createLocalRefs, pathOf, type SchemaObject } from "./local-refs.ts";
import { cleanForm } from "./schema.ts";

/** Nesting of schemas, references included; anything deeper is not searched. */
const MAX_DEPTH = 500;

/** Whether to ask by a tool although there is a field, because the field closes maps and refuses recursion. */
export function isBetterAsTool(schema: unknown): boolean {
  const form = cleanForm(schema);
  return fitsTool(form) && holdsMapOrItself(form as SchemaObject);
}

/** A tool's parameters are one object: a list or a choice between schemas is refused. */
export function fitsTool(form: JSONSchema7): boolean {
  return form.type === "object" && !CHOICES.some((keyword) => keyword in form);
}

function holdsMapOrItself(form: SchemaObject): boolean {
  const refs = createLocalRefs(form);
  const underWay = new Set<SchemaObject>();
  const seen = new Set<SchemaObject>();

  function look(schema: SchemaObject): boolean {
    if (isMap(schema) || underWay.has(schema)) return true;
    if (seen.has(schema) || underWay.size >= MAX_DEPTH) return false;
    underWay.add(schema);
    const isFound = [...schemasIn(schema), ...definitionsFor(schema)].some(look);
    underWay.delete(schema);
    seen.add(schema);
    return isFound;
  }

  function definitionsFor({ $ref }: SchemaObject): SchemaObject[] {
    const path = typeof $ref === "string" ? pathOf($ref) : null;
    return [path && refs.find(path)].filter(isObject);
  }

  return look(form);
}

function isMap({ additionalProperties }: SchemaObject): boolean {
  return additionalProperties === true || isObject(additionalProperties);
}

/** The direct subschemas; definitions count where they are referenced. */
function schemasIn(schema: SchemaObject): SchemaObject[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (VALUES.has(keyword) || isDefinitionsWord(keyword)) return [];
    const inner = MAPS_OF_SCHEMAS.has(keyword) && isObject(value) ? Object.values(value) : [value].flat();
    return inner.filter(isObject);
  });
}
