import { isObject } from "../../../kit/index.ts";
import { withBound, withPlaces } from "../../old-drafts.ts";
import type { SchemaObject } from "./local-refs.ts";

const BOUNDS = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
] as const;

/**
 * Rewrites keywords of older drafts as the newest has them: models refuse the old ones, which SDKs still write. Uses
 * only `keywords`, if given: a bound that cannot be exclusive stays as it is. A `required` that is not a list, and
 * `properties` that are not a map, mean nothing in any draft.
 */
export function inNewestDraft(schema: SchemaObject, keywords: ReadonlySet<string> | null): SchemaObject {
  let node = schema;
  if (Array.isArray(node["items"])) node = withPlaces(keywords === null ? node : withoutBareRest(node));
  for (const [bound, open] of BOUNDS) {
    if (typeof node[open] === "boolean" && keywords?.has(open) !== false) node = withBound(node, bound, open);
  }
  if ("required" in node && !Array.isArray(node["required"])) {
    const { required: _beside, ...rest } = node;
    node = rest;
  }
  // Servers written in Go send null for an empty map.
  if ("properties" in node && !isObject(node["properties"])) node = { ...node, properties: {} };
  return node;
}

/** It is not documented that such a provider accepts a boolean for the items after a tuple. */
function withoutBareRest(schema: SchemaObject): SchemaObject {
  const { additionalItems, ...rest } = schema;
  return typeof additionalItems === "boolean" ? rest : schema;
}
