import type { Random } from "../random.ts";
import type { ClueReader } from "./clue-match.ts";
import { saidItems } from "./said-items.ts";
import { isRecord, numberOf, requiredOf, type SchemaNode, typeOf } from "./schema-node.ts";
import { fitsNumber, makeNumber } from "./schema-number.ts";
import type { SchemaReader } from "./schema-reader.ts";
import { fitsText, makeText } from "./schema-text.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type ValueRequest = {
  /** Of the schema that the value shall keep. */
  readonly reader: SchemaReader;
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
const MAX_BRANCHES = 64;
const USUAL_ITEMS = 2;

type Work = ValueRequest & { nodesLeft: number };

/**
 * A value that the schema accepts, with what the prompt says in it. Knows the keywords that clients send:
 * type, enum, const, properties, items, prefixItems, anyOf, oneOf, allOf, $ref, and the bounds of numbers,
 * texts and arrays. Not `not`, `if`, `contains` and `patternProperties`.
 */
export function makeValue(request: ValueRequest): JsonValue {
  return make({ ...request, nodesLeft: MAX_NODES }, request.reader.root, "", 0);
}

function make(work: Work, schema: unknown, name: string, depth: number): JsonValue {
  if (depth > MAX_REQUIRED_DEPTH) return null;
  return makeNode(work, work.reader.resolve(schema), name, depth);
}

function makeNode(work: Work, node: SchemaNode, name: string, depth: number): JsonValue {
  if (--work.nodesLeft < 0) return null;
  if ("const" in node) return node["const"] as JsonValue;
  if (Array.isArray(node["enum"])) return oneOfEnum(work, node["enum"], name);
  const branch = branchOf(node, depth);
  if (branch !== undefined) return makeNode(work, work.reader.choose(node, branch), name, depth);
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
      return truthFrom(work, name);
    case "null":
      return null;
  }
}

/** The first branch that says something; deep down a null ends the recursion. */
function branchOf(node: SchemaNode, depth: number): unknown {
  const stated = [node["anyOf"], node["oneOf"]].find((value) => Array.isArray(value));
  if (!Array.isArray(stated) || stated.length === 0) return undefined;
  const branches: unknown[] = stated.slice(0, MAX_BRANCHES);
  const isNull = (branch: unknown) => isRecord(branch) && branch["type"] === "null";
  const nothing = branches.find(isNull);
  if (depth > MAX_DEPTH && nothing !== undefined) return nothing;
  return branches.find((branch) => !isNull(branch)) ?? nothing;
}

function oneOfEnum(work: Work, options: readonly unknown[], name: string): JsonValue {
  const said = work.clues.options.take(name, options);
  const any = options[Math.floor(work.random() * options.length)] ?? null;
  return (said ?? any) as JsonValue;
}

function fromPrompt(work: Work, node: SchemaNode, name: string): string | undefined {
  if (name === "") return undefined;
  const format = typeof node["format"] === "string" ? node["format"] : undefined;
  const found = work.clues.text(name, format) ?? work.clues.wholePrompt(name);
  return found !== undefined && fitsText(node, found) ? found : undefined;
}

function numberFrom(work: Work, node: SchemaNode, name: string): number {
  const whole = typeOf(node) === "integer";
  const said = name === "" ? undefined : work.clues.number(name, (value) => fitsNumber(node, value, whole));
  return said ?? makeNumber(node, whole, 1 + Math.floor(work.random() * 9));
}

function truthFrom(work: Work, name: string): boolean {
  const any = work.random() < 0.5;
  return (name === "" ? undefined : work.clues.truth(name)) ?? any;
}

function makeObject(work: Work, node: SchemaNode, depth: number): JsonValue {
  if (!work.reader.look(1)) return {};
  const properties = isRecord(node["properties"]) ? node["properties"] : {};
  const made: [string, JsonValue][] = [];
  const stated = Object.entries(properties);
  const required = new Set(requiredOf(node));
  if (!work.reader.look(stated.length + required.size)) return {};
  for (const [name, schema] of stated) {
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
  return Array.isArray(options) && work.clues.options.has(name, options);
}

function makeArray(work: Work, node: SchemaNode, name: string, depth: number): JsonValue {
  const leading: unknown[] = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : [];
  const isUnique = node["uniqueItems"] === true;
  const said = name === "" ? 0 : saidItems(work.clues, work.reader.resolve(node["items"]));
  const usual = depth < MAX_DEPTH ? Math.max(leading.length, said > 0 ? said : USUAL_ITEMS) : 0;
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
  const node = work.reader.resolve(input.schema);
  const options: unknown[] = Array.isArray(node["enum"]) ? node["enum"] : [];
  const made = make(work, input.schema, input.name, input.depth + 1);
  const marked = typeof made === "string" ? `${made} ${input.seen.size + 1}` : undefined;
  const isFresh = (value: unknown) => !input.seen.has(JSON.stringify(value));
  // Of the options as many may be passed over as there are values already.
  let fresh: unknown = isFresh(made) ? made : options.slice(0, input.seen.size + 1).find(isFresh);
  if (options.length === 0 && fresh === undefined && marked !== undefined && fitsText(node, marked))
    fresh = marked;
  if (fresh === undefined) return undefined;
  input.seen.add(JSON.stringify(fresh));
  return fresh as JsonValue;
}
