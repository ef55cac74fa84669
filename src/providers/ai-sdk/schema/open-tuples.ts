import type { JSONSchema7 } from "@ai-sdk/provider";
import type { SchemaObject } from "./local-refs.ts";
import { withSchemas } from "./schema.ts";

/**
 * For a field that has no word for the places of a tuple, which the library leaves out: that nothing may follow them would
 * say then that nothing may be in it at all.
 */
export function withOpenTuples(schema: JSONSchema7): JSONSchema7 {
  return opened(schema as SchemaObject) as JSONSchema7;
}

function opened(schema: SchemaObject): SchemaObject {
  const isClosed = Array.isArray(schema["prefixItems"]) && schema["items"] === false;
  const kept = Object.entries(schema).filter(([keyword]) => !isClosed || keyword !== "items");
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withSchemas(keyword, value, opened)]));
}
