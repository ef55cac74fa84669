import type { Check } from "./check-tools.ts";
import type { JsonValue } from "./json-value.ts";
import { namedIn, numberOf, requiredOf, type SchemaNode } from "./schema-node.ts";

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
