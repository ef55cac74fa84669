import type { JSONSchema7 } from "@ai-sdk/provider";
import type { SchemaObject } from "./local-refs.ts";
import { withSchemas } from "./schema.ts";

/**
 * The field does not support `prefixItems`, which the library drops; a remaining `items: false` would then mean that
 * the list must be empty.
 */
export function withOpenTuples(schema: JSONSchema7): JSONSchema7 {
  return opened(schema as SchemaObject) as JSONSchema7;
}

function opened(schema: SchemaObject): SchemaObject {
  const isClosed = Array.isArray(schema["prefixItems"]) && schema["items"] === false;
  const kept = Object.entries(schema).filter(([keyword]) => !isClosed || keyword !== "items");
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withSchemas(keyword, value, opened)]));
}
