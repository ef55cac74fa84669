import { pickOne, type Random } from "../random.ts";
import type { ClueReader } from "./clue-match.ts";
import { isRecord, numberOf, requiredOf, resolveNode, type SchemaNode, typeOf } from "./schema-node.ts";
import { fitsNumber, makeNumber } from "./schema-number.ts";
import { fitsText, makeText } from "./schema-text.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type ValueRequest = {
  readonly schema: unknown;
  readonly clues: ClueReader;
  readonly random: Random;
  /** Whether a property that may be left out is made up, or filled only where the prompt speaks of it. */
  readonly optional: "made" | "from_prompt";
};

/** Deeper than this only what is required is made; a schema that requires itself ends at the second limit. */
const MAX_DEPTH = 8;
const MAX_REQUIRED_DEPTH = 32;
const MAX_NODES = 500;
const MAX_MADE_ITEMS = 100;
const USUAL_ITEMS = 2;

type Work = ValueRequest & { nodesLeft: number };

/**
 * A value that the schema accepts, with what the prompt says in it. Knows the keywords that clients send:
 * type, enum, const, properties, items, prefixItems, anyOf, oneOf, allOf, $ref, and the bounds of numbers,
 * texts and arrays. Not `not`, `if`, `contains` and `patternProperties`.
 */
export function makeValue(request: ValueRequest): JsonValue {
  return make({ ...request, nodesLeft: MAX_NODES }, request.schema, "", 0);
}

function make(work: Work, schema: unknown, name: string, depth: number): JsonValue {
  if (--work.nodesLeft < 0 || depth > MAX_REQUIRED_DEPTH) return null;
  const node = resolveNode(schema, work.schema);
  if ("const" in node) return node["const"] as JsonValue;
  if (Array.isArray(node["enum"])) return oneOfEnum(work, node["enum"]);
  const branch = branchOf(node, depth);
  if (branch !== undefined) {
    const { anyOf: _any, oneOf: _one, ...rest } = node;
    return make(work, { allOf: [rest, branch] }, name, depth);
  }
  switch (typeOf(node)) {
    case "object":
      return makeObject(work, node, depth);
    case "array":
      return makeArray(work, node, name, depth);
    case "string":
      return fromPrompt(work, node, name) ?? makeText(node, work.random);
    case "number":
    case "integer":
      return numberFrom(work, node, name);
    case "boolean":
      return work.random() < 0.5;
    case "null":
      return null;
  }
}

/** The first branch that says something; deep down a null ends the recursion. */
function branchOf(node: SchemaNode, depth: number): unknown {
  const branches = [node["anyOf"], node["oneOf"]].find((value) => Array.isArray(value));
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const isNull = (branch: unknown) => isRecord(branch) && branch["type"] === "null";
  const nothing = branches.find(isNull);
  if (depth > MAX_DEPTH && nothing !== undefined) return nothing;
  return branches.find((branch) => !isNull(branch)) ?? nothing;
}

function oneOfEnum(work: Work, options: readonly unknown[]): JsonValue {
  const text = work.clues.clues.text.toLowerCase();
  const said = options.find(
    (option) => typeof option === "string" && option !== "" && text.includes(option.toLowerCase()),
  );
  const [first = null, ...rest] = options;
  return (said ?? pickOne(work.random, [first, ...rest])) as JsonValue;
}

function fromPrompt(work: Work, node: SchemaNode, name: string): string | undefined {
  if (name === "") return undefined;
  const found = work.clues.text(name) ?? work.clues.wholePrompt(name);
  return found !== undefined && fitsText(node, found) ? found : undefined;
}

function numberFrom(work: Work, node: SchemaNode, name: string): number {
  const whole = typeOf(node) === "integer";
  const said = name === "" ? undefined : work.clues.number(name);
  if (said !== undefined && fitsNumber(node, said, whole)) return said;
  return makeNumber(node, whole, 1 + Math.floor(work.random() * 9));
}

function makeObject(work: Work, node: SchemaNode, depth: number): JsonValue {
  const properties = isRecord(node["properties"]) ? node["properties"] : {};
  const required = new Set(requiredOf(node));
  const made: [string, JsonValue][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!required.has(name) && !isWanted(work, schema, name, depth)) continue;
    made.push([name, make(work, schema, name, depth + 1)]);
  }
  for (const name of required) {
    if (!Object.hasOwn(properties, name)) made.push([name, make(work, extraSchema(node), name, depth + 1)]);
  }
  for (let at = made.length; at < Math.min(numberOf(node, "minProperties") ?? 0, MAX_MADE_ITEMS); at++) {
    made.push([`key${at + 1}`, make(work, extraSchema(node), "", depth + 1)]);
  }
  return Object.fromEntries(made);
}

function extraSchema(node: SchemaNode): unknown {
  return isRecord(node["additionalProperties"]) ? node["additionalProperties"] : {};
}

function isWanted(work: Work, schema: unknown, name: string, depth: number): boolean {
  if (work.optional === "made") return depth < MAX_DEPTH;
  if (work.clues.clues.labelled.has(name.toLowerCase())) return true;
  const options = isRecord(schema) ? schema["enum"] : undefined;
  const text = work.clues.clues.text.toLowerCase();
  return (
    Array.isArray(options) &&
    options.some((each) => typeof each === "string" && text.includes(each.toLowerCase()))
  );
}

function makeArray(work: Work, node: SchemaNode, name: string, depth: number): JsonValue {
  const leading: unknown[] = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : [];
  const isUnique = node["uniqueItems"] === true;
  const usual = depth < MAX_DEPTH ? Math.max(leading.length, USUAL_ITEMS) : 0;
  const most = numberOf(node, "maxItems") ?? Number.POSITIVE_INFINITY;
  const count = Math.min(Math.max(numberOf(node, "minItems") ?? 0, Math.min(usual, most)), MAX_MADE_ITEMS);
  const items: JsonValue[] = [];
  const seen = new Set<string>();
  // Items that must differ get three more tries each before the array stays short.
  for (let attempt = 0; items.length < count && attempt < count * 4 && work.nodesLeft > 0; attempt++) {
    const schema = leading[items.length] ?? node["items"] ?? {};
    const item = isUnique
      ? distinct(work, { schema, name, depth, seen })
      : make(work, schema, name, depth + 1);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** A value that is not there yet. Where few are allowed they are taken in turn; luck would miss some. */
function distinct(
  work: Work,
  input: { schema: unknown; name: string; depth: number; seen: Set<string> },
): JsonValue | undefined {
  const node = resolveNode(input.schema, work.schema);
  const options = Array.isArray(node["enum"]) ? node["enum"] : [];
  const made = make(work, input.schema, input.name, input.depth + 1);
  const candidates = [made, ...options];
  const marked = typeof made === "string" ? `${made} ${input.seen.size + 1}` : undefined;
  if (options.length === 0 && marked !== undefined && fitsText(node, marked)) candidates.push(marked);
  const fresh = candidates.find((candidate) => !input.seen.has(JSON.stringify(candidate)));
  if (fresh !== undefined) input.seen.add(JSON.stringify(fresh));
  return fresh;
}
