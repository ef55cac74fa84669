import { isObject } from "../../../kit/index.ts";
import { flattenParameters } from "../../ai-sdk/schema/flat-parameters.ts";
import { MAPS_OF_SCHEMAS, OF_SCHEMAS } from "../../schema-keywords.ts";
import type { WireVendor } from "../vendor.ts";
import { withoutKeywords } from "./wire-schema.ts";

/** Deeper levels are sent unchanged; the depth of a request is limited to far less. */
const MAX_DEPTH = 128;

/** A schema in a form that the vendor accepts; the same object if it takes ordinary ones, and nothing is dropped. */
export function acceptedSchema(schema: unknown, { schemaDrops, typesInChoices }: WireVendor): unknown {
  const plain = withoutKeywords(schema, schemaDrops);
  if (!typesInChoices || !isObject(plain)) return plain;
  // The type is required at the top, where it must not stand beside a choice either.
  return withTypesInChoices(Array.isArray(plain["anyOf"]) ? flattenParameters(plain) : plain, 0);
}

function withTypesInChoices(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH || !isObject(value)) return value;
  const { type, items, prefixItems = [], anyOf, ...rest } = value;
  const schema: Record<string, unknown> = { ...rest };
  if (Array.isArray(items)) schema["prefixItems"] = [prefixItems, items].flat();
  else if (value["prefixItems"] !== undefined) schema["prefixItems"] = prefixItems;
  // Beside a tuple, `false` means that it has no more items.
  if (isObject(items)) schema["items"] = items;
  const isChoice = Array.isArray(anyOf) && typeof type === "string";
  if (type !== undefined && !isChoice) schema["type"] = type;
  if (anyOf !== undefined) schema["anyOf"] = isChoice ? anyOf.map((branch) => typed(branch, type)) : anyOf;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (OF_SCHEMAS.has(keyword)) schema[keyword] = inEach(keyword, inner, depth + 1);
  }
  return schema;
}

/** A branch that refers to a schema has that schema's type. */
function typed(branch: unknown, type: string): unknown {
  if (!isObject(branch) || branch["type"] !== undefined || branch["$ref"] !== undefined) return branch;
  return { type, ...branch };
}

function inEach(keyword: string, value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withTypesInChoices(each, depth));
  if (!MAPS_OF_SCHEMAS.has(keyword) || !isObject(value)) return withTypesInChoices(value, depth);
  const entries = Object.entries(value).map(([name, schema]): [string, unknown] => [
    name,
    typeof schema === "boolean" ? {} : withTypesInChoices(schema, depth),
  ]);
  return Object.fromEntries(entries);
}
