import { canonicalJson } from "../../../gateway/src/kit/index.ts";
import type { JsonValue } from "./json-value.ts";
import { listIn, namedIn, numberOf, requiredOf, type SchemaNode } from "./schema/schema-node.ts";

/** What the checks of arrays and objects need from the general check. */
export type Check = {
  fits(schema: unknown, value: JsonValue): boolean;
  matches(pattern: string, text: string): boolean;
  /** False once the answer has used up its steps: what cannot be checked passes. */
  step(count: number): boolean;
};

export function checkArray(node: SchemaNode, items: readonly JsonValue[], check: Check): boolean {
  if (items.length < (numberOf(node, "minItems") ?? 0)) return false;
  if (items.length > (numberOf(node, "maxItems") ?? Number.POSITIVE_INFINITY)) return false;
  if (node["uniqueItems"] === true && new Set(items.map(canonicalJson)).size < items.length) return false;
  const leading = listIn(node, "prefixItems");
  const schemaAt = (at: number) => (at < leading.length ? leading[at] : (node["items"] ?? true));
  return items.every((item, at) => check.fits(schemaAt(at), item)) && hasContained(node, items, check);
}

function hasContained(node: SchemaNode, items: readonly JsonValue[], check: Check): boolean {
  const { contains } = node;
  if (contains === undefined) return true;
  const count = items.filter((item) => check.fits(contains, item)).length;
  const most = numberOf(node, "maxContains") ?? Number.POSITIVE_INFINITY;
  return count >= (numberOf(node, "minContains") ?? 1) && count <= most;
}

export function checkObject(node: SchemaNode, value: Record<string, JsonValue>, check: Check): boolean {
  const entries = Object.entries(value);
  const required = requiredOf(node);
  if (entries.length < (numberOf(node, "minProperties") ?? 0)) return false;
  if (entries.length > (numberOf(node, "maxProperties") ?? Number.POSITIVE_INFINITY)) return false;
  if (!check.step(required.length)) return true;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  if (!keepsDependencies(node, value, check)) return false;
  const patterns = Object.entries(namedIn(node, "patternProperties"));
  return entries.every(([name, member]) => fitsMember(node, patterns, [name, member], check));
}

function fitsMember(
  node: SchemaNode,
  patterns: readonly (readonly [string, unknown])[],
  [name, member]: readonly [string, JsonValue],
  check: Check,
): boolean {
  const { additionalProperties, propertyNames } = node;
  const properties = namedIn(node, "properties");
  if (propertyNames !== undefined && !check.fits(propertyNames, name)) return false;
  const isStated = Object.hasOwn(properties, name);
  if (isStated && !check.fits(properties[name], member)) return false;
  if (!check.step(patterns.length)) return true;
  const matching = patterns.filter(([pattern]) => check.matches(pattern, name));
  if (!matching.every(([, schema]) => check.fits(schema, member))) return false;
  return isStated || matching.length > 0 || check.fits(additionalProperties ?? true, member);
}

function keepsDependencies(node: SchemaNode, value: Record<string, JsonValue>, check: Check): boolean {
  const has = (name: unknown) => typeof name !== "string" || Object.hasOwn(value, name);
  const names = Object.entries(namedIn(node, "dependentRequired"));
  const schemas = Object.entries(namedIn(node, "dependentSchemas"));
  if (!check.step(names.length + schemas.length)) return true;
  const keepsNames = names.every(
    ([name, needed]) =>
      !has(name) || !Array.isArray(needed) || !check.step(needed.length) || needed.every(has),
  );
  return keepsNames && schemas.every(([name, schema]) => !has(name) || check.fits(schema, value));
}
