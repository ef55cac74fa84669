/** Beyond this a schema is sent as it is; the request's own depth is bounded far below. */
const MAX_DEPTH = 128;

/**
 * A JSON schema without keywords that a server refuses. Names of properties are not keywords, so a
 * property that happens to be called `$schema` or `pattern` stays.
 */
export function withoutKeywords(schema: unknown, drops: readonly string[], depth = 0): unknown {
  if (drops.length === 0 || depth > MAX_DEPTH) return schema;
  if (Array.isArray(schema)) return schema.map((item) => withoutKeywords(item, drops, depth + 1));
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema)
    .filter(([keyword]) => !drops.includes(keyword))
    .map(([keyword, value]) => [keyword, valueOf(keyword, value, drops, depth)]);
  return Object.fromEntries(kept);
}

/** Under these stand names of the author's, each with a schema of its own. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Under these stand values, which are nobody's schema. */
const VALUES = new Set(["const", "enum", "default", "examples", "required"]);

function valueOf(keyword: string, value: unknown, drops: readonly string[], depth: number): unknown {
  if (VALUES.has(keyword)) return value;
  if (!NAMED.has(keyword) || typeof value !== "object" || value === null || Array.isArray(value)) {
    return withoutKeywords(value, drops, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, withoutKeywords(schema, drops, depth + 1)]),
  );
}
