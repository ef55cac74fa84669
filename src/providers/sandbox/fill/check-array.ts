import { canonicalJson } from "../../../kit/index.ts";
import type { Check } from "./check-tools.ts";
import type { JsonValue } from "./json-value.ts";
import { listIn, numberOf, type SchemaNode } from "./schema-node.ts";

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
