import type { JSONSchema7 } from "@ai-sdk/provider";

/** Keywords that say something about the schema and nothing about the value; some providers refuse them. */
const NEVER_SENT: ReadonlySet<string> = new Set(["$schema", "$id", "$comment"]);
const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Their values are data: a keyword's name in them means nothing. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required"]);

/**
 * A client's schema with only the keywords that the provider takes. Names of properties are left alone,
 * whatever they look like. Depth is bounded by the JSON depth that the edge accepts.
 */
export function cleanSchema(schema: unknown, keywords: ReadonlySet<string> | null): JSONSchema7 {
  const cleaned = isObject(schema) ? cleanObject(schema, keywords) : {};
  return cleaned as JSONSchema7;
}

/** A tool's parameters: always an object, as every provider demands, also where the client sent none. */
export function cleanParameters(schema: unknown, keywords: ReadonlySet<string> | null): JSONSchema7 {
  const cleaned = cleanSchema(schema, keywords);
  return cleaned.type === "object" ? cleaned : { type: "object", properties: {}, ...cleaned };
}

function cleanObject(schema: Record<string, unknown>, keywords: ReadonlySet<string> | null) {
  const cleaned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (NEVER_SENT.has(keyword)) continue;
    if (keywords?.has(keyword) === false) {
      // The same demand in a word that more providers know.
      if (keyword === "const" && !("enum" in schema)) cleaned["enum"] = [value];
      continue;
    }
    cleaned[keyword] = cleanValue(keyword, value, keywords);
  }
  return cleaned;
}

function cleanValue(keyword: string, value: unknown, keywords: ReadonlySet<string> | null): unknown {
  if (VALUES.has(keyword)) return value;
  if (MAPS_OF_SCHEMAS.has(keyword) && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [
        name,
        isObject(schema) ? cleanObject(schema, keywords) : schema,
      ]),
    );
  }
  if (Array.isArray(value)) {
    return value.map((item) => (isObject(item) ? cleanObject(item, keywords) : item));
  }
  return isObject(value) ? cleanObject(value, keywords) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
