import { isObject } from "../../../../gateway/src/kit/index.ts";

/** One JSON schema, read leniently: clients send every dialect, and an unknown keyword is no reason to fail. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** The schema `false` as a node: it accepts no value. */
export const NEVER: SchemaNode = Object.freeze({ not: true });

const NONE: SchemaNode = Object.freeze({});

/** The map under a keyword such as `properties`. */
export function namedIn(node: SchemaNode, keyword: string): SchemaNode {
  const value = node[keyword];
  return isObject(value) ? value : NONE;
}

export function listIn(node: SchemaNode, keyword: string): unknown[] {
  const value = node[keyword];
  return Array.isArray(value) ? value : [];
}

export function requiredOf(node: SchemaNode): string[] {
  return listIn(node, "required").filter((name) => typeof name === "string");
}

export function numberOf(node: SchemaNode, keyword: string): number | undefined {
  const value = node[keyword];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The schema, and the parts of its `allOf` that could not be merged into it. */
export function partsOf(node: SchemaNode): SchemaNode[] {
  return [node, ...listIn(node, "allOf").filter(isObject)];
}

export type SchemaType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

const TYPES: readonly SchemaType[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** The type to make: the stated one, the first of several that is not null, or what the keywords suggest. */
export function typeOf(node: SchemaNode): SchemaType {
  const { type } = node;
  const stated = Array.isArray(type) ? (type.find((each) => each !== "null") ?? "null") : type;
  const known = TYPES.find((each) => each === stated);
  if (known !== undefined) return known;
  if (node["properties"] !== undefined || node["additionalProperties"] !== undefined) return "object";
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) return "array";
  if (node["minimum"] !== undefined || node["maximum"] !== undefined) return "number";
  return "string";
}

/** All types that a value may have, the preferred one first. */
export function typesOf(node: SchemaNode): SchemaType[] {
  const { type } = node;
  const first = typeOf(node);
  if (type === first) return [first];
  const stated = listIn(node, "type");
  const known = TYPES.filter((each) => stated.includes(each));
  // `TYPES` ends with null.
  return [first, ...(known.length > 0 ? known : TYPES).filter((each) => each !== first)];
}
