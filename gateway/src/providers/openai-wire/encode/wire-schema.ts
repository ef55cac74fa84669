import { isObject } from "../../../kit/index.ts";
import type { Fields } from "../../../wires/index.ts";
import { MAPS_OF_SCHEMAS, VALUES } from "../../schema-keywords.ts";

/** Deeper levels are sent unchanged; the depth of a request is limited to far less. */
const MAX_DEPTH = 128;

/**
 * A JSON schema without keywords that a server refuses. Names of properties are not keywords, so a property that
 * happens to be called `$schema` or `pattern` stays. `properties` or `required` that are null are fixed as well.
 */
export function withoutKeywords(schema: unknown, drops: readonly string[]): unknown {
  return drops.length === 0 ? schema : strip(schema, 0);

  function strip(value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => strip(item, depth + 1));
      return items.every((item, at) => item === value[at]) ? value : items;
    }
    return changed(value as Fields, (keyword, inner) =>
      drops.includes(keyword) ? undefined : under(keyword, inner, depth),
    );
  }

  function under(keyword: string, value: unknown, depth: number): unknown {
    // Servers written in Go send null for an empty map or list.
    if (value === null && keyword === "properties") return {};
    if (value === null && keyword === "required") return undefined;
    if (VALUES.has(keyword)) return value;
    if (!MAPS_OF_SCHEMAS.has(keyword) || !isObject(value)) return strip(value, depth + 1);
    return changed(value, (_name, inner) => strip(inner, depth + 1));
  }
}

/**
 * Applies `change` to each field, and removes those for which it returns undefined. The same object if nothing changes:
 * agents send the same dozens of schemas with every call, and most have nothing to drop.
 */
function changed(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  let copy: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = fields[name];
    const now = change(name, value);
    if (now === value) continue;
    copy ??= { ...fields };
    if (now === undefined) delete copy[name];
    else copy[name] = now;
  }
  return copy ?? fields;
}
