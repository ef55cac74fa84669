import { isObject } from "../../../../gateway/src/kit/index.ts";
import { withBound, withPlaces } from "../../../../gateway/src/providers/old-drafts.ts";
import type { SchemaNode } from "./schema-node.ts";

const OLD_KEYWORDS = [
  "items",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "dependencies",
  "$dynamicRef",
  "$recursiveRef",
];

/** Rewrites keywords of older drafts as the newest has them. Most schemas are returned as the same object. */
export function inNewestWords(schema: SchemaNode): SchemaNode {
  if (!OLD_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  let node = schema;
  if (Array.isArray(node["items"])) node = withPlaces(node);
  if (typeof node["exclusiveMinimum"] === "boolean") node = withBound(node, "minimum", "exclusiveMinimum");
  if (typeof node["exclusiveMaximum"] === "boolean") node = withBound(node, "maximum", "exclusiveMaximum");
  if (isObject(node["dependencies"])) node = withDependencies(node, node["dependencies"]);
  const { $dynamicRef, $recursiveRef, ...others } = node;
  const reference = $dynamicRef ?? $recursiveRef;
  return reference === undefined ? node : { $ref: reference, ...others };
}

function withDependencies({ dependencies: _, ...others }: SchemaNode, dependencies: SchemaNode): SchemaNode {
  const entries = Object.entries(dependencies);
  return {
    ...others,
    dependentRequired: Object.fromEntries(entries.filter(([, value]) => Array.isArray(value))),
    dependentSchemas: Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value))),
  };
}
