import { canonicalJson, isObject } from "../../../gateway/src/kit/index.ts";
import type { PatternBook } from "./pattern/pattern-book.ts";
import { listIn, namedIn, numberOf, requiredOf, type Schema } from "./schema-node.ts";
import { inNewestWords, type SchemaReader } from "./schema-reader.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Nested schemas on one value; stops a schema that refers to itself. */
const MAX_DEPTH = 300;

type Check = (schema: unknown, value: JsonValue) => boolean;

/**
 * Whether a schema, as written, accepts a value: every keyword that constrains a value on its own, except for `format`,
 * `unevaluatedProperties` and `unevaluatedItems`. Once no effort is left, everything passes.
 */
export function createCheck(reader: SchemaReader, patterns: PatternBook): Check {
  const { effort } = reader;
  /** Objects and lists that a schema already accepted; they are checked again as part of larger ones. */
  const accepted = new WeakMap<object, Set<unknown>>();
  const options = new Map<unknown, ReadonlySet<string>>();
  let depth = 0;

  function fits(schema: unknown, value: JsonValue): boolean {
    if (!isObject(schema)) return schema !== false;
    const isHeld = typeof value === "object" && value !== null;
    if (--effort.left < 0 || depth > MAX_DEPTH) return true;
    if (isHeld && accepted.get(value)?.has(schema) === true) return true;
    depth++;
    const does = fitsNode(inNewestWords(schema), value);
    depth--;
    if (does && isHeld) accepted.set(value, (accepted.get(value) ?? new Set()).add(schema));
    return does;
  }

  function fitsNode(node: Schema, value: JsonValue): boolean {
    if (typeof node["$ref"] === "string" && !fits(reader.target(node["$ref"]), value)) return false;
    if (node["type"] !== undefined && ![node["type"]].flat().some((type) => isOfType(type, value)))
      return false;
    if ("const" in node && canonicalJson(node["const"]) !== canonicalJson(value)) return false;
    if (Array.isArray(node["enum"]) && !optionsOf(node["enum"]).has(canonicalJson(value))) return false;
    if (typeof value === "number" && !fitsNumber(node, value)) return false;
    if (typeof value === "string" && !fitsText(node, value)) return false;
    if (Array.isArray(value) && !fitsList(node, value)) return false;
    if (isObject(value) && !fitsObject(node, value as Record<string, JsonValue>)) return false;
    return fitsParts(node, value);
  }

  function fitsParts(node: Schema, value: JsonValue): boolean {
    const does = (schema: unknown) => fits(schema, value);
    const { if: condition, not, oneOf } = node;
    const [any, one] = [listIn(node, "anyOf"), listIn(node, "oneOf")];
    if (!listIn(node, "allOf").every(does) || (any.length > 0 && !any.some(does))) return false;
    if (oneOf !== undefined && one.length > 0 && one.filter(does).length !== 1 && effort.left > 0)
      return false;
    if (not !== undefined && does(not) && effort.left > 0) return false;
    return condition === undefined || does(does(condition) ? (node["then"] ?? true) : (node["else"] ?? true));
  }

  function fitsText(node: Schema, text: string): boolean {
    const { pattern } = node;
    const length = Array.from(text).length;
    if (length < numberOf(node, "minLength", 0)) return false;
    if (length > numberOf(node, "maxLength", Number.POSITIVE_INFINITY)) return false;
    return typeof pattern !== "string" || patterns.matches(pattern, text);
  }

  function fitsList(node: Schema, items: readonly JsonValue[]): boolean {
    if (!isWithin(node, "Items", items.length)) return false;
    if (node["uniqueItems"] === true && new Set(items.map(canonicalJson)).size < items.length) return false;
    const leading = listIn(node, "prefixItems");
    const schemaAt = (at: number) => (at < leading.length ? leading[at] : (node["items"] ?? true));
    if (!items.every((item, at) => fits(schemaAt(at), item))) return false;
    const { contains } = node;
    if (contains === undefined) return true;
    const count = items.filter((item) => fits(contains, item)).length;
    return (
      count >= numberOf(node, "minContains", 1) &&
      count <= numberOf(node, "maxContains", Number.POSITIVE_INFINITY)
    );
  }

  function fitsObject(node: Schema, value: Record<string, JsonValue>): boolean {
    const names = Object.keys(value);
    const has = (name: unknown) => Object.hasOwn(value, String(name));
    const required = requiredOf(node);
    effort.left -= required.length;
    if (!isWithin(node, "Properties", names.length) || !required.every(has)) return false;
    const dependencies = { ...namedIn(node, "dependencies"), ...namedIn(node, "dependentRequired") };
    const all = Object.entries({ ...dependencies, ...namedIn(node, "dependentSchemas") });
    effort.left -= all.length;
    const isKept = ([name, needed]: readonly [string, unknown]) =>
      !has(name) || (Array.isArray(needed) ? needed.every(has) : fits(needed, value));
    if (!all.every(isKept)) return false;
    const shapes = Object.entries(namedIn(node, "patternProperties"));
    return names.every((name) => fitsMember(node, shapes, name, value[name] ?? null));
  }

  function fitsMember(
    node: Schema,
    shapes: readonly (readonly [string, unknown])[],
    name: string,
    member: JsonValue,
  ): boolean {
    const { additionalProperties, propertyNames } = node;
    const properties = namedIn(node, "properties");
    if (propertyNames !== undefined && !fits(propertyNames, name)) return false;
    const isStated = Object.hasOwn(properties, name);
    if (isStated && !fits(properties[name], member)) return false;
    effort.left -= shapes.length;
    if (effort.left < 0) return true;
    const matching = shapes.filter(([pattern]) => patterns.matches(pattern, name));
    if (!matching.every(([, schema]) => fits(schema, member))) return false;
    return isStated || matching.length > 0 || fits(additionalProperties ?? true, member);
  }

  function optionsOf(list: readonly unknown[]): ReadonlySet<string> {
    const known = options.get(list) ?? new Set(list.map(canonicalJson));
    if (!options.has(list)) effort.left -= list.length;
    options.set(list, known);
    return known;
  }

  return fits;
}

function isWithin(node: Schema, of: "Items" | "Properties", count: number): boolean {
  const most = numberOf(node, `max${of}`, Number.POSITIVE_INFINITY);
  return count >= numberOf(node, `min${of}`, 0) && count <= most;
}

export function fitsNumber(node: Schema, value: number): boolean {
  const step = numberOf(node, "multipleOf", 0);
  return (
    value >= numberOf(node, "minimum", Number.NEGATIVE_INFINITY) &&
    value <= numberOf(node, "maximum", Number.POSITIVE_INFINITY) &&
    !(value <= numberOf(node, "exclusiveMinimum", Number.NaN)) &&
    !(value >= numberOf(node, "exclusiveMaximum", Number.NaN)) &&
    (step === 0 || Number.isInteger(value / step))
  );
}

function isOfType(type: unknown, value: JsonValue): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  return type === typeof value || !["string", "number", "boolean"].includes(String(type));
}
