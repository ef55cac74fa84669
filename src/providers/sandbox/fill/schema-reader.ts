import { isObject } from "../../../kit/index.ts";
import { requiredOf, type SchemaNode } from "./schema-node.ts";

/** Schemas read to resolve one, in a row or side by side: a chain of references could go on for megabytes. */
const MAX_READ = 64;
const MAX_POINTER_CHARACTERS = 1000;
/** Names, options and keywords looked at for one answer. Beyond that the schema says nothing more. */
const MAX_LOOKS = 50_000;

/** What may still be looked at, of one schema or of several that one answer reads. */
export type Effort = { left: number };

export function createEffort(): Effort {
  return { left: MAX_LOOKS };
}

/** Reads one document for one answer: however often it refers to itself, each schema in it is resolved once. */
export type SchemaReader = {
  readonly root: unknown;
  /** The schema with its `$ref` followed and its `allOf` folded in; an empty one where there is nothing to read. */
  resolve(schema: unknown): SchemaNode;
  /** The node as one of its branches has it. */
  choose(node: SchemaNode, branch: unknown): SchemaNode;
  /** Answers false where that is too much for this answer. */
  look(count: number): boolean;
};

export function createSchemaReader(root: unknown, effort: Effort = createEffort()): SchemaReader {
  const resolved = new Map<SchemaNode, SchemaNode>();

  function look(count: number): boolean {
    if (effort.left > 0) effort.left -= count;
    return effort.left > 0;
  }

  function resolve(schema: unknown, depth: number): SchemaNode {
    if (!isObject(schema) || depth > MAX_READ) return {};
    const known = resolved.get(schema);
    if (known !== undefined) return known;
    if (!look(1)) return {};
    // Meanwhile it is empty: one that is all of itself would never end.
    resolved.set(schema, {});
    const node = fold(schema, depth);
    resolved.set(schema, node);
    return node;
  }

  function fold(schema: SchemaNode, depth: number): SchemaNode {
    const { $ref, allOf } = schema;
    const parts = Array.isArray(allOf) ? allOf.slice(0, MAX_READ) : [];
    const isReference = typeof $ref === "string";
    if (!isReference && parts.length === 0) return schema;
    let node = without(schema, ["$ref", "allOf"]);
    if (isReference) node = merge(resolve(target($ref, root), depth + 1), node);
    for (const part of parts) node = merge(node, resolve(part, depth + 1));
    return node;
  }

  function without(node: SchemaNode, keywords: readonly string[]): SchemaNode {
    if (!look(sizeOf(node))) return {};
    return Object.fromEntries(Object.entries(node).filter(([keyword]) => !keywords.includes(keyword)));
  }

  /** Nothing is copied that stays as it is: most references stand alone. */
  function merge(left: SchemaNode, right: SchemaNode): SchemaNode {
    if (effort.left <= 0) return left;
    const sizes = [sizeOf(left), sizeOf(right)] as const;
    if (sizes[0] === 0) return right;
    if (sizes[1] === 0 || !look(sizes[0] + sizes[1])) return left;
    const properties = mergeProperties(left["properties"], right["properties"]);
    const required = [...requiredOf(left), ...requiredOf(right)];
    if (!look(required.length)) return left;
    return { ...left, ...right, ...properties, ...(required.length > 0 ? { required } : {}) };
  }

  function mergeProperties(left: unknown, right: unknown): SchemaNode {
    if (!isObject(left) || !isObject(right)) return {};
    if (left === right || !look(sizeOf(left) + sizeOf(right))) return { properties: left };
    return { properties: { ...left, ...right } };
  }

  return {
    root,
    look,
    resolve: (schema) => resolve(schema, 0),
    choose: (node, branch) => merge(without(node, ["anyOf", "oneOf"]), resolve(branch, 0)),
  };
}

function sizeOf(node: SchemaNode): number {
  return Object.keys(node).length;
}

/** Pointers inside the document only: the sandbox fetches nothing. */
function target(pointer: string, root: unknown): unknown {
  if (!pointer.startsWith("#") || pointer.length > MAX_POINTER_CHARACTERS) return undefined;
  let value: unknown = root;
  for (const step of pointer.slice(1).split("/").filter(Boolean)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
