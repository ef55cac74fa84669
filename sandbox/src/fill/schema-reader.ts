import { isObject } from "../../../gateway/src/kit/index.ts";
import { withBound, withPlaces } from "../../../gateway/src/providers/old-drafts.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { listIn, NEVER, namedIn, type Schema } from "./schema-node.ts";

const ANYTHING: Schema = Object.freeze({});

/** Schemas read to resolve one, and branches of one choice. */
const MAX_READ = 64;
const MAX_REFERENCE_CHARACTERS = 1000;
/** For all values of one reply: a schema or a prompt must not block the process. */
const MAX_EFFORT = 100_000;

/** The work that is left, counted in schemas, names, options, values and steps of patterns. */
export type Effort = { left: number };

export function createEffort(): Effort {
  return { left: MAX_EFFORT };
}

/** Reads one document; each of its schemas is resolved once, however often it refers to itself. */
export type SchemaReader = {
  readonly root: unknown;
  readonly effort: Effort;
  /**
   * For making a value: references followed, `allOf` merged in, `const` as `enum`, every pattern in `patterns`, and
   * every choice in `choices`, as a list of branches each. What cannot be merged is left to the check.
   */
  resolve(schema: unknown): Schema;
  /** A node with one branch of its first choice merged in. */
  choose(node: Schema, branch: unknown): Schema;
  /** The target of a reference within the document: the sandbox fetches nothing. */
  target(reference: string): unknown;
};

export function createSchemaReader(root: unknown, effort: Effort): SchemaReader {
  const resolved = new Map<unknown, Schema>();

  function spend(count: number): boolean {
    effort.left -= count;
    return effort.left > 0;
  }

  function resolve(schema: unknown, depth = 0): Schema {
    if (schema === false) return NEVER;
    if (!isObject(schema) || depth > MAX_READ) return ANYTHING;
    const known = resolved.get(schema);
    if (known !== undefined) return known;
    if (!spend(1)) return ANYTHING;
    // Empty for the time being: a schema whose `allOf` contains itself would never end.
    resolved.set(schema, ANYTHING);
    const { $ref, allOf, ...own } = schema;
    let node = inOwnWords(inNewestWords(own));
    if (typeof $ref === "string") node = merge(resolve(target($ref), depth + 1), node);
    for (const part of listIn({ allOf }, "allOf").slice(0, MAX_READ)) {
      node = merge(node, resolve(part, depth + 1));
    }
    resolved.set(schema, node);
    return node;
  }

  function merge(one: Schema, other: Schema): Schema {
    if (one === other || !spend(Object.keys(one).length + Object.keys(other).length)) return one;
    return one === NEVER || other === NEVER ? NEVER : mergeSchemas(one, other, spend);
  }

  function target(reference: string): unknown {
    if (reference.length > MAX_REFERENCE_CHARACTERS || !/^#(?:\/|$)/.test(reference)) return undefined;
    let value = root;
    for (const step of decoded(reference).split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const isHeld = typeof value === "object" && value !== null && Object.hasOwn(value, key);
      value = isHeld ? (value as Record<string, unknown>)[key] : undefined;
    }
    return value;
  }

  return {
    root,
    effort,
    resolve: (schema) => resolve(schema),
    choose: (node, branch) => {
      const choices = listIn(node, "choices").slice(1);
      return merge({ ...node, choices }, resolve(branch));
    },
    target,
  };
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Rewrites keywords of older drafts as the newest has them. */
export function inNewestWords(schema: Schema): Schema {
  let node = schema;
  if (Array.isArray(node["items"])) node = withPlaces(node);
  if (typeof node["exclusiveMinimum"] === "boolean") node = withBound(node, "minimum", "exclusiveMinimum");
  if (typeof node["exclusiveMaximum"] === "boolean") node = withBound(node, "maximum", "exclusiveMaximum");
  return node;
}

function inOwnWords(schema: Schema): Schema {
  const { const: only, pattern, anyOf, oneOf, if: condition, then: yes, else: no, ...node } = schema;
  const choices = [oneOf, anyOf].filter((branches) => Array.isArray(branches) && branches.length > 0);
  if (condition !== undefined) choices.push([{ allOf: [condition, yes ?? true] }, no ?? true]);
  const dependent = { ...namedIn(schema, "dependencies"), ...namedIn(schema, "dependentSchemas") };
  for (const [name, needed] of Object.entries(dependent).slice(0, MAX_READ)) {
    const brought = Array.isArray(needed) ? { required: needed } : needed;
    choices.push([{ required: [name], allOf: [brought] }, { properties: { [name]: false } }]);
  }
  return {
    ...node,
    ...("const" in schema ? { enum: [only] } : {}),
    ...(typeof pattern === "string" ? { patterns: [pattern] } : {}),
    ...(choices.length > 0 ? { choices } : {}),
  };
}
