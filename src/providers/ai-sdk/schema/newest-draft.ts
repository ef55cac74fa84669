import { isObject } from "../../../kit/index.ts";
import { withBound, withPlaces } from "../../old-drafts.ts";
import { pathOf, type SchemaObject } from "./local-refs.ts";

const BOUNDS = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
] as const;

/**
 * What older drafts write otherwise, as the newest writes it: models refuse the old words, and SDKs write them still. In
 * words that the provider takes, where it does not take all: a bound that cannot be open stays as it is. What is no list
 * of required names, and no map of properties, says nothing in any draft.
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
  // Servers in Go write null for a map without entries.
  if ("properties" in node && !isObject(node["properties"])) node = { ...node, properties: {} };
  return node;
}

/** Nobody says that such a provider takes a bare yes or no for what may follow the places. */
function withoutBareRest(schema: SchemaObject): SchemaObject {
  const { additionalItems, ...rest } = schema;
  return typeof additionalItems === "boolean" ? rest : schema;
}

/** Where a reference leads once all of its document is written so. */
export function refInNewestDraft(ref: string, root: SchemaObject): string {
  if (!ref.includes("tems")) return ref;
  const path = pathOf(ref);
  if (path === null) return ref;
  const names = ref.split("/");
  let at: unknown = root;
  for (const [index, name] of path.entries()) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return ref;
    const schema = at as SchemaObject;
    at = schema[name];
    if (!Array.isArray(schema["items"])) continue;
    if (name === "items") names[index + 1] = "prefixItems";
    if (name === "additionalItems") names[index + 1] = "items";
  }
  return names.join("/");
}
