import { isObject } from "../../../gateway/src/kit/index.ts";
import { NEVER, type Schema } from "./schema-node.ts";

/** Of the work that is left, takes this much; false if it was not enough. */
type Spend = (count: number) => boolean;
type Rule = (one: unknown, other: unknown, spend: Spend) => unknown;

const IMPOSSIBLE = Symbol("impossible");

const higher: Rule = (one, other) => Math.max(Number(one), Number(other));
const lower: Rule = (one, other) => Math.min(Number(one), Number(other));
const each: Rule = (one, other, spend) => {
  const [left, right] = [listOf(one), listOf(other)];
  return spend(right.length) ? [...left, ...right] : left;
};
/** Resolved when it is needed. */
const both: Rule = (one, other) => (one === other ? one : { allOf: [one, other] });

/** How a keyword that two schemas have is merged. Of any other, the first counts, and the check decides. */
const RULES: Readonly<Record<string, Rule>> = {
  type: sharedTypes,
  enum: sharedOptions,
  minimum: higher,
  exclusiveMinimum: higher,
  minLength: higher,
  minItems: higher,
  minProperties: higher,
  minContains: higher,
  maximum: lower,
  exclusiveMaximum: lower,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
  maxContains: lower,
  multipleOf: sharedMultiple,
  uniqueItems: (one, other) => one === true || other === true,
  required: (one, other, spend) => [...new Set(listOf(each(one, other, spend)))],
  patterns: each,
  choices: each,
  properties: mergeNamed,
  patternProperties: mergeNamed,
  additionalProperties: both,
  propertyNames: both,
  items: both,
  contains: both,
};

/** A schema for making values that match both. */
export function mergeSchemas(left: Schema, right: Schema, spend: Spend): Schema {
  const merged: Record<string, unknown> = { ...left };
  const leading = leadingItems(left, right, spend);
  for (const [keyword, value] of Object.entries(right)) {
    const before = merged[keyword];
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    if (before === undefined) merged[keyword] = value;
    else if (before !== value && rule !== undefined) merged[keyword] = rule(before, value, spend);
    if (merged[keyword] === IMPOSSIBLE) return NEVER;
  }
  return leading.length === 0 ? merged : { ...merged, prefixItems: leading };
}

/** Position by position; where one has a schema for a position, the other may only have `items`. */
function leadingItems(left: Schema, right: Schema, spend: Spend): unknown[] {
  const lists = [left, right].map((node) => listOf(node["prefixItems"]));
  const length = Math.max(...lists.map((list) => list.length));
  if (!spend(length)) return [];
  const at = (node: Schema, index: number) => listOf(node["prefixItems"])[index] ?? node["items"] ?? true;
  return Array.from({ length }, (_, index) => both(at(left, index), at(right, index), spend));
}

function mergeNamed(one: unknown, other: unknown, spend: Spend): unknown {
  if (!isObject(one) || !isObject(other)) return isObject(one) ? one : other;
  if (!spend(Object.keys(one).length + Object.keys(other).length)) return one;
  const merged = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    merged.set(name, merged.has(name) ? both(merged.get(name), schema, spend) : schema);
  }
  return Object.fromEntries(merged);
}

function sharedTypes(one: unknown, other: unknown): unknown {
  const [left, right] = [[one].flat(), [other].flat()];
  const shared = left.flatMap((type) => {
    if (right.includes(type) || (type === "integer" && right.includes("number"))) return [type];
    return type === "number" && right.includes("integer") ? ["integer"] : [];
  });
  return shared.length === 0 ? IMPOSSIBLE : shared;
}

function sharedOptions(one: unknown, other: unknown, spend: Spend): unknown {
  const [left, right] = [listOf(one), listOf(other)];
  if (!spend(left.length + right.length)) return left;
  const known = new Set(right.map((option) => JSON.stringify(option)));
  const shared = left.filter((option) => known.has(JSON.stringify(option)));
  return shared.length === 0 ? IMPOSSIBLE : shared;
}

/** The least common multiple of whole numbers; of any others, the larger may do. */
function sharedMultiple(one: unknown, other: unknown): unknown {
  const [left, right] = [Math.abs(Number(one)), Math.abs(Number(other))];
  if (!Number.isInteger(left) || !Number.isInteger(right) || left * right === 0) return Math.max(left, right);
  let [divisor, rest] = [left, right];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return (left / divisor) * right;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
