import { isObject } from "../../../kit/index.ts";
import { MAPS_OF_SCHEMAS, VALUES } from "../../schema-words.ts";

/** Beyond this a schema is sent as it is; the request's own depth is bounded far below. */
const MAX_DEPTH = 128;

/**
 * A JSON schema without keywords that a server refuses. Names of properties are not keywords, so a
 * property that happens to be called `$schema` or `pattern` stays.
 */
export function withoutKeywords(schema: unknown, drops: readonly string[]): unknown {
  return drops.length === 0 ? schema : strip(schema, 0);

  function strip(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => strip(item, depth + 1));
    const kept = Object.entries(value).filter(([keyword]) => !drops.includes(keyword));
    return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, under(keyword, inner, depth)]));
  }

  function under(keyword: string, value: unknown, depth: number): unknown {
    if (VALUES.has(keyword)) return value;
    if (!MAPS_OF_SCHEMAS.has(keyword) || !isObject(value)) return strip(value, depth + 1);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strip(inner, depth + 1)]));
  }
}
