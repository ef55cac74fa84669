import { isObject } from "../../../../gateway/src/kit/index.ts";
import { inNewestWords } from "./schema-dialect.ts";
import { mergeSchemas } from "./schema-merge.ts";
import { NEVER, type SchemaNode } from "./schema-node.ts";
import { createTargets } from "./schema-target.ts";
import { type Union, unionIn } from "./schema-union.ts";

/** Schemas read to resolve one, in sequence or side by side: a chain of references could go on for megabytes. */
const MAX_READ = 64;
/** Names, options and keywords inspected per answer. Beyond that, the rest of the schema is ignored. */
const MAX_LOOKS = 50_000;

const ANYTHING: SchemaNode = Object.freeze({});

/** The remaining budget, for one schema or for several that one answer reads. */
export type Effort = { left: number };

export function createEffort(): Effort {
  return { left: MAX_LOOKS };
}

/** Reads one document for one answer: however often it refers to itself, each schema is resolved once. */
export type SchemaReader = {
  readonly root: unknown;
  /** The schema with its `$ref` followed and its `allOf` merged in; empty if there is nothing to read. */
  resolve(schema: unknown): SchemaNode;
  /** The schema as written, with keywords of the newest draft. */
  written(schema: SchemaNode): SchemaNode;
  /** The target of a reference; undefined if it is not in this document. */
  target(reference: string): unknown;
  /** A schema whose values match both; the same object for the same two. */
  both(one: unknown, other: unknown): unknown;
  /** The first choice in a node. */
  union(node: SchemaNode): Union | undefined;
  /** The node merged with one of its branches. */
  choose(node: SchemaNode, branch: unknown): SchemaNode;
  /** Deducts from the budget; false if that exceeds it. */
  look(count: number): boolean;
  /** The share of the budget that is used up. */
  spent(): number;
};

export function createSchemaReader(root: unknown, effort: Effort = createEffort()): SchemaReader {
  const resolved = new Map<SchemaNode, SchemaNode>();
  const drafts = new Map<SchemaNode, SchemaNode>();
  const unions = new Map<SchemaNode, Union | undefined>();
  const pairs = new Map<unknown, Map<unknown, SchemaNode>>();
  const chosen = new Map<SchemaNode, Map<SchemaNode, SchemaNode>>();
  const target = createTargets(root, look);

  function look(count: number): boolean {
    if (effort.left > 0) effort.left -= count;
    return effort.left > 0;
  }

  function written(schema: SchemaNode): SchemaNode {
    const known = drafts.get(schema) ?? inNewestWords(schema);
    drafts.set(schema, known);
    return known;
  }

  function resolve(schema: unknown, depth: number): SchemaNode {
    if (schema === false) return NEVER;
    if (!isObject(schema) || depth > MAX_READ) return ANYTHING;
    const known = resolved.get(schema);
    if (known !== undefined) return known;
    if (!look(1)) return ANYTHING;
    // Empty for the time being: a schema whose `allOf` contains itself would never end.
    resolved.set(schema, {});
    const node = fold(written(schema), depth);
    resolved.set(schema, node);
    return node;
  }

  function fold(schema: SchemaNode, depth: number): SchemaNode {
    const { $ref, allOf } = schema;
    const parts = Array.isArray(allOf) ? allOf.slice(0, MAX_READ) : [];
    const isReference = typeof $ref === "string";
    if (!isReference && parts.length === 0) return schema;
    let node = without(schema, ["$ref", "allOf"]);
    if (isReference) node = merge(resolve(target($ref), depth + 1), node);
    for (const part of parts) node = merge(node, resolve(part, depth + 1));
    return node;
  }

  function without(node: SchemaNode, keywords: readonly string[]): SchemaNode {
    if (!look(sizeOf(node))) return {};
    return Object.fromEntries(Object.entries(node).filter(([keyword]) => !keywords.includes(keyword)));
  }

  /** Avoids copies: most references stand alone. */
  function merge(left: SchemaNode, right: SchemaNode): SchemaNode {
    if (effort.left <= 0 || left === right) return left;
    const sizes = [sizeOf(left), sizeOf(right)] as const;
    if (sizes[0] === 0) return right;
    if (sizes[1] === 0 || !look(sizes[0] + sizes[1])) return left;
    return mergeSchemas(left, right, { both, look });
  }

  function both(one: unknown, other: unknown): unknown {
    if (one === other || !saysSomething(other)) return one;
    if (!saysSomething(one)) return other;
    if (one === false || other === false) return false;
    return memoized(pairs, one, other, () => ({ allOf: [one, other] }));
  }

  return {
    root,
    look,
    spent: () => 1 - effort.left / MAX_LOOKS,
    written,
    target,
    both,
    resolve: (schema) => resolve(schema, 0),
    union(node) {
      if (!unions.has(node)) unions.set(node, unionIn(node, without));
      return unions.get(node);
    },
    choose: (node, branch) => {
      const part = resolve(branch, 0);
      return memoized(chosen, node, part, () => merge(node, part));
    },
  };
}

function memoized<Key, Other, Value>(
  table: Map<Key, Map<Other, Value>>,
  key: Key,
  other: Other,
  make: () => Value,
): Value {
  const row = table.get(key) ?? new Map<Other, Value>();
  table.set(key, row);
  const known = row.get(other) ?? make();
  row.set(other, known);
  return known;
}

function saysSomething(schema: unknown): boolean {
  return schema === false || (isObject(schema) && sizeOf(schema) > 0);
}

function sizeOf(node: SchemaNode): number {
  return Object.keys(node).length;
}
