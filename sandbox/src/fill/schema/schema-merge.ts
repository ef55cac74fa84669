import { isObject } from "../../../../gateway/src/kit/index.ts";
import { leastCommonMultiple } from "../decimal.ts";
import { NEVER, type SchemaNode } from "./schema-node.ts";

/** What merging needs from the reader of the schemas. */
type MergeTools = {
  /** One schema for both, resolved lazily. */
  both(one: unknown, other: unknown): unknown;
  /** False if that exceeds the budget of this answer. */
  look(count: number): boolean;
};

type Rule = (one: unknown, other: unknown, tools: MergeTools) => unknown;

/** Both set the keyword and it cannot be merged: the second goes into `allOf`. */
const APART = Symbol("apart");
const IMPOSSIBLE = Symbol("impossible");

const higher = numeric((one, other) => Math.max(one, other));
const lower = numeric((one, other) => Math.min(one, other));
const bothOf: Rule = (one, other, tools) => tools.both(one, other);
const first: Rule = (one) => one;

const RULES: Readonly<Record<string, Rule>> = {
  type: sharedTypes,
  enum: sharedOptions,
  const: (one, other) => (JSON.stringify(one) === JSON.stringify(other) ? one : IMPOSSIBLE),
  minimum: higher,
  exclusiveMinimum: higher,
  minLength: higher,
  minItems: higher,
  minProperties: higher,
  maximum: lower,
  exclusiveMaximum: lower,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
  multipleOf: sharedMultiple,
  uniqueItems: (one, other) => one === true || other === true,
  required: (one, other, { look }) => {
    const [left, right] = [listOf(one), listOf(other)];
    return look(left.length + right.length) ? [...new Set([...left, ...right])] : left;
  },
  properties: mergeNamed,
  patternProperties: mergeNamed,
  additionalProperties: bothOf,
  unevaluatedProperties: bothOf,
  propertyNames: bothOf,
  items: bothOf,
  unevaluatedItems: bothOf,
  allOf: (one, other, { look }) => (look(listOf(other).length) ? [...listOf(one), ...listOf(other)] : one),
  ...Object.fromEntries(
    "title description default examples $defs definitions $schema $id id $anchor $dynamicAnchor $comment"
      .split(" ")
      .map((keyword) => [keyword, first]),
  ),
};

/** A schema whose values match both. */
export function mergeSchemas(left: SchemaNode, right: SchemaNode, tools: MergeTools): SchemaNode {
  if (left === NEVER || right === NEVER) return NEVER;
  const [one, other] = [closed(left, right, tools), closed(right, left, tools)];
  const merged: Record<string, unknown> = { ...one };
  const apart: SchemaNode[] = [];
  for (const [keyword, value] of Object.entries(other)) {
    if (keyword === "prefixItems" || (keyword === "items" && merged["prefixItems"] !== undefined)) continue;
    const before = merged[keyword];
    if (before === undefined || before === value) {
      merged[keyword] = value;
      continue;
    }
    const result =
      (Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined)?.(before, value, tools) ?? APART;
    if (result === IMPOSSIBLE) return NEVER;
    if (result === APART) apart.push(apartOf(keyword, other));
    else merged[keyword] = result;
  }
  Object.assign(merged, mergeItems(one, other, tools));
  return apart.length === 0 ? merged : { ...merged, allOf: [...listOf(merged["allOf"]), ...apart] };
}

/** Keywords that mean nothing without the first one. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  if: ["if", "then", "else"],
  contains: ["contains", "minContains", "maxContains"],
};

function apartOf(keyword: string, node: SchemaNode): SchemaNode {
  const keywords = TOGETHER[keyword] ?? [keyword];
  return Object.fromEntries(keywords.filter((each) => each in node).map((each) => [each, node[each]]));
}

/** Applies the other schema's rule for unnamed properties to those that only this one names. */
function closed(node: SchemaNode, other: SchemaNode, tools: MergeTools): SchemaNode {
  const { properties } = node;
  const { additionalProperties: extra, properties: named, patternProperties } = other;
  const isOpen = extra === undefined || extra === true || patternProperties !== undefined;
  if (isOpen || !isObject(properties)) return node;
  const entries = Object.entries(properties);
  if (!tools.look(entries.length)) return node;
  const isNamed = (name: string) => isObject(named) && Object.hasOwn(named, name);
  return {
    ...node,
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name, isNamed(name) ? schema : tools.both(schema, extra)]),
    ),
  };
}

function mergeNamed(one: unknown, other: unknown, tools: MergeTools): unknown {
  if (!isObject(one) || !isObject(other)) return isObject(one) ? one : other;
  const entries = Object.entries(other);
  if (!tools.look(Object.keys(one).length + entries.length)) return one;
  const merged = new Map(Object.entries(one));
  for (const [name, schema] of entries) {
    merged.set(name, merged.has(name) ? tools.both(merged.get(name), schema) : schema);
  }
  return Object.fromEntries(merged);
}

/** Position by position; where one has a schema for a position, the other may only have `items`. */
function mergeItems(one: SchemaNode, other: SchemaNode, tools: MergeTools): SchemaNode {
  const [left, right] = [listOf(one["prefixItems"]), listOf(other["prefixItems"])];
  const length = Math.max(left.length, right.length);
  if (length === 0 || !tools.look(length)) return {};
  const at = (node: SchemaNode, list: readonly unknown[], index: number) =>
    (index < list.length ? list[index] : node["items"]) ?? true;
  const prefixItems = Array.from({ length }, (_, index) =>
    tools.both(at(one, left, index), at(other, right, index)),
  );
  const items = tools.both(one["items"] ?? true, other["items"] ?? true);
  return items === true ? { prefixItems } : { prefixItems, items };
}

function sharedTypes(one: unknown, other: unknown): unknown {
  const [left, right] = [typesIn(one), typesIn(other)];
  const shared = left.flatMap((type) => {
    if (right.includes(type)) return [type];
    if (type === "integer" && right.includes("number")) return [type];
    return type === "number" && right.includes("integer") ? ["integer"] : [];
  });
  if (shared.length === 0) return IMPOSSIBLE;
  return shared.length === 1 ? shared[0] : shared;
}

function typesIn(type: unknown): unknown[] {
  return Array.isArray(type) ? type : [type];
}

function sharedOptions(one: unknown, other: unknown, { look }: MergeTools): unknown {
  const [left, right] = [listOf(one), listOf(other)];
  if (!look(left.length + right.length)) return left;
  const known = new Set(right.map((option) => JSON.stringify(option)));
  const shared = left.filter((option) => known.has(JSON.stringify(option)));
  return shared.length === 0 ? IMPOSSIBLE : shared;
}

function sharedMultiple(one: unknown, other: unknown): unknown {
  const isStep = (value: unknown): value is number => Number.isFinite(value) && value !== 0;
  if (!isStep(one) || !isStep(other)) return isStep(one) ? one : other;
  const shared = leastCommonMultiple(one, other);
  return Number.isFinite(shared) ? shared : APART;
}

function numeric(choose: (one: number, other: number) => number): Rule {
  return (one, other) => {
    if (typeof one !== "number" || typeof other !== "number") return typeof one === "number" ? one : other;
    return choose(one, other);
  };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
