import { canonicalJson, isObject } from "../../../../gateway/src/kit/index.ts";
import { type Check, checkArray, checkObject } from "../check-members.ts";
import type { JsonValue } from "../json-value.ts";
import type { PatternBook } from "../pattern/pattern-text.ts";
import { fitsFormat } from "./schema-format.ts";
import { numberOf, type SchemaNode } from "./schema-node.ts";
import { fitsNumber } from "./schema-number.ts";
import type { SchemaReader } from "./schema-reader.ts";

/** Steps per answer; beyond them everything passes. */
const MAX_STEPS = 100_000;
/** Nested schemas on one value; stops a schema that refers to itself. */
const MAX_DEPTH = 300;

type SchemaCheck = {
  readonly fits: (schema: unknown, value: JsonValue) => boolean;
  /** The share of the steps that is used up. */
  readonly spent: () => number;
};

/**
 * Whether a schema, as written, accepts a value. Supports every keyword that constrains a value on its own, but not
 * `unevaluatedProperties` and `unevaluatedItems`.
 */
export function createCheck(reader: SchemaReader, patterns: PatternBook): SchemaCheck {
  const options = new Map<readonly unknown[], ReadonlySet<string>>();
  /** Objects and lists that a schema already accepted; they are checked again as part of larger ones. */
  const accepted = new WeakMap<object, Set<unknown>>();
  let left = MAX_STEPS;
  let depth = 0;

  const check: Check = { fits, matches, step };

  /** A pattern passes, like everything else, if there are no steps left for it. */
  function matches(pattern: string, text: string): boolean {
    return patterns.isSpent() || patterns.matches(pattern, text);
  }

  function step(count: number): boolean {
    left -= count;
    return left > 0;
  }

  function fits(schema: unknown, value: JsonValue): boolean {
    if (!isObject(schema)) return schema !== false;
    const isHeld = typeof value === "object" && value !== null;
    if (!step(1) || depth > MAX_DEPTH || (isHeld && accepted.get(value)?.has(schema) === true)) return true;
    depth++;
    const does = fitsNode(reader.written(schema), value);
    depth--;
    if (does && isHeld) remember(schema, value);
    return does;
  }

  function remember(schema: unknown, value: object): void {
    const known = accepted.get(value) ?? new Set();
    accepted.set(value, known.add(schema));
  }

  function fitsNode(node: SchemaNode, value: JsonValue): boolean {
    if (typeof node["$ref"] === "string" && !fits(reader.target(node["$ref"]), value)) return false;
    if (!fitsType(node["type"], value)) return false;
    if ("const" in node && canonicalJson(node["const"]) !== canonicalJson(value)) return false;
    if (Array.isArray(node["enum"]) && !optionsOf(node["enum"]).has(canonicalJson(value))) return false;
    if (typeof value === "number" && !fitsNumber(node, value, false)) return false;
    if (typeof value === "string" && !fitsString(node, value)) return false;
    if (Array.isArray(value) && !checkArray(node, value, check)) return false;
    if (isObject(value) && !checkObject(node, value as Record<string, JsonValue>, check)) return false;
    return fitsParts(node, value);
  }

  function fitsParts(node: SchemaNode, value: JsonValue): boolean {
    const does = (schema: unknown) => fits(schema, value);
    const { allOf, anyOf, oneOf, if: condition } = node;
    if (Array.isArray(allOf) && !allOf.every(does)) return false;
    if (Array.isArray(anyOf) && anyOf.length > 0 && !anyOf.some(does)) return false;
    if (Array.isArray(oneOf) && oneOf.length > 0 && oneOf.filter(does).length !== 1 && left > 0) return false;
    if (node["not"] !== undefined && does(node["not"]) && left > 0) return false;
    return condition === undefined || does(does(condition) ? (node["then"] ?? true) : (node["else"] ?? true));
  }

  function fitsString(node: SchemaNode, text: string): boolean {
    const { minLength, maxLength, pattern, format } = node;
    if (minLength !== undefined || maxLength !== undefined) {
      const length = Array.from(text).length;
      if (length < (numberOf(node, "minLength") ?? 0)) return false;
      if (length > (numberOf(node, "maxLength") ?? Number.POSITIVE_INFINITY)) return false;
    }
    if (typeof format === "string" && !fitsFormat(format, text)) return false;
    return typeof pattern !== "string" || matches(pattern, text);
  }

  function optionsOf(list: readonly unknown[]): ReadonlySet<string> {
    const known = options.get(list) ?? new Set(list.map(canonicalJson));
    if (!options.has(list)) step(list.length);
    options.set(list, known);
    return known;
  }

  return { fits, spent: () => 1 - left / MAX_STEPS };
}

function fitsType(type: unknown, value: JsonValue): boolean {
  if (Array.isArray(type)) return type.some((each) => fitsType(each, value));
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    case "null":
      return value === null;
    default:
      return true;
  }
}
