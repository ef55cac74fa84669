import { isObject } from "../../../gateway/src/kit/index.ts";

/** One JSON schema, read leniently: clients send every dialect, and an unknown keyword is no reason to fail. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schema `false`: it accepts no value. */
export const NEVER: Schema = Object.freeze({ never: true });

/** The map under a keyword such as `properties`. */
export function namedIn(node: Schema, keyword: string): Schema {
  const value = node[keyword];
  return isObject(value) ? value : {};
}

export function listIn(node: Schema, keyword: string): unknown[] {
  const value = node[keyword];
  return Array.isArray(value) ? value : [];
}

export function requiredOf(node: Schema): string[] {
  return listIn(node, "required").filter((name) => typeof name === "string");
}

export function numberOf<Other>(node: Schema, keyword: string, other: Other): number | Other {
  const value = node[keyword];
  return typeof value === "number" && Number.isFinite(value) ? value : other;
}

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** The types that a value may have; if none is stated, first the one that the keywords suggest. `null` comes last. */
export function typesOf(node: Schema): string[] {
  const stated = [node["type"]].flat();
  const known = TYPES.filter((type) => stated.includes(type));
  if (known.length > 0) return known;
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => node[keyword] !== undefined);
  const meant = has("properties", "required", "additionalProperties", "minProperties", "patternProperties")
    ? "object"
    : has("items", "prefixItems", "contains", "minItems")
      ? "array"
      : has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")
        ? "number"
        : "string";
  return [meant, ...TYPES.filter((type) => type !== meant)];
}
