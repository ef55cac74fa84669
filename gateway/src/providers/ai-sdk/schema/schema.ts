import type { JSONSchema7 } from "@ai-sdk/provider";
import { isObject } from "../../../kit/index.ts";
import { MAPS_OF_SCHEMAS, OF_SCHEMAS, VALUES } from "../../schema-keywords.ts";
import { type Definitions, gatherDefinitions, isDefinitionsWord } from "./definitions.ts";
import { createLocalRefs, type LocalRefs, objectsIn, type SchemaObject, writeOutTop } from "./local-refs.ts";
import { inNewestDraft } from "./newest-draft.ts";
import { createUnfoldBudget, type UnfoldBudget } from "./unfold-budget.ts";

/** Keywords about the schema, not the value; some providers refuse them. */
const NEVER_SENT: ReadonlySet<string> = new Set(["$schema", "$id", "$comment"]);
/** They explain a value but do not constrain it. */
const REMARKS: ReadonlySet<string> = new Set(["title", "description"]);

const OTHERS_THAN_OBJECT: readonly string[] = ["array", "string", "number", "integer", "boolean", "null"];
/** Aliases: Google's clients write them in capitals, and many tools are described with Python's type names. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...["object", ...OTHERS_THAN_OBJECT].map((name) => [name, name] as const),
  ["dict", "object"],
  ["list", "array"],
  ["str", "string"],
  ["float", "number"],
  ["int", "integer"],
  ["bool", "boolean"],
]);

/** For a provider that accepts only some keywords: what is needed to rewrite the rest. */
type Taken = {
  readonly keywords: ReadonlySet<string>;
  readonly refs: LocalRefs;
  readonly definitions: Definitions;
  readonly budget: UnfoldBudget;
};

/**
 * A client's schema with only the keywords that the provider accepts. Property names are not touched, whatever they
 * look like. Depth is bounded by the JSON depth that the edge accepts.
 */
export function cleanSchema(
  schema: unknown,
  keywords: ReadonlySet<string> | null,
  budget = createUnfoldBudget([schema]),
): JSONSchema7 {
  if (!isObject(schema)) return {};
  if (keywords === null) return cleanObject(schema, null) as JSONSchema7;
  const refs = createLocalRefs(schema, budget);
  const definitions = gatherDefinitions(schema, refs);
  const taken = { keywords, refs, definitions, budget };
  const cleaned = cleanObject(schema, taken);
  const $defs: Record<string, unknown> = {};
  // Iterated lazily: a definition may reference another one, which is then appended.
  for (const [name, definition] of definitions.all()) {
    $defs[name] = isObject(definition) ? cleanObject(definition, taken) : definition;
  }
  return (Object.keys($defs).length === 0 ? cleaned : { ...cleaned, $defs }) as JSONSchema7;
}

/** Cache by the original schema: one request needs its response schema several times, and it may be large. */
const CLEANED_FORMS = new WeakMap<object, JSONSchema7>();

/**
 * A response schema for a provider that accepts all keywords, which may have to become a tool's parameters. The result
 * is shared: do not modify it.
 */
export function cleanForm(schema: unknown): JSONSchema7 {
  if (!isObject(schema)) return {};
  return CLEANED_FORMS.getOrInsertComputed(schema, () => cleanSchema(writeOutTop(schema), null));
}

/** A tool's parameters: always an object, as every provider requires, even if the client sent none. */
export function cleanParameters(
  schema: unknown,
  keywords: ReadonlySet<string> | null,
  budget = createUnfoldBudget([schema]),
): JSONSchema7 {
  const cleaned = cleanSchema(isObject(schema) ? writeOutTop(schema, budget) : schema, keywords, budget);
  // An `allOf` of a single reference has become that reference. One that leads nowhere is dropped.
  const { $ref: _lost, ...written } = writeOutTop(cleaned as SchemaObject, budget);
  return asObject(written);
}

function asObject(schema: SchemaObject): JSONSchema7 {
  const { type, properties, description } = schema;
  if (type === "object") return schema as JSONSchema7;
  // Constraints of a string or list cannot apply to an object. A schema that names properties just has a wrong type.
  if (
    (!isObject(properties) || Object.keys(properties).length === 0) &&
    [type ?? "object"].flat().every((name) => OTHERS_THAN_OBJECT.includes(String(name)))
  )
    return { type: "object", properties: {}, ...(typeof description === "string" ? { description } : {}) };
  return { properties: {}, ...schema, type: "object" };
}

/**
 * `taken` is null for a provider that accepts every keyword. `isSchema`: reached through keywords that hold schemas;
 * elsewhere, keywords of older drafts may be anyone's data.
 */
function cleanObject(given: SchemaObject, taken: Taken | null, isSchema = true): Record<string, unknown> {
  const schema = isSchema ? inNewestDraft(given, taken?.keywords ?? null) : given;
  const parts = objectsIn(schema["allOf"]);
  if (taken && parts.length > 0 && !taken.keywords.has("allOf")) return cleanAllOf(schema, parts, taken);
  if (taken && typeof schema["$ref"] === "string") return cleanRef(schema["$ref"], schema, taken);
  const cleaned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (NEVER_SENT.has(keyword) || (taken && isDefinitionsWord(keyword))) continue;
    if (taken?.keywords.has(keyword) === false) {
      // The same constraint as a keyword that more providers support.
      if (keyword === "const" && !("enum" in schema)) cleaned["enum"] = [value];
      continue;
    }
    if (keyword === "type") cleaned[keyword] = typeNames(value);
    else {
      const holdsSchemas = isSchema && OF_SCHEMAS.has(keyword);
      cleaned[keyword] = withSchemas(keyword, value, (each) => cleanObject(each, taken, holdsSchemas));
    }
  }
  if (taken?.keywords.has(NULLABLE) === false && schema[NULLABLE] === true) allowNull(cleaned);
  return cleaned;
}

/** OpenAPI's keyword; JSON Schema adds "null" to the types. */
const NULLABLE = "nullable";

/** Only with a type and without an enum: an enum would have to list null too, and not every provider supports that. */
function allowNull(schema: Record<string, unknown>): void {
  const { type } = schema;
  if (type !== undefined && !("enum" in schema)) schema["type"] = [...new Set([type, "null"].flat())];
}

/** Beside a reference, such providers accept a description and refuse anything else. */
function cleanRef(ref: string, { description }: SchemaObject, { definitions }: Taken) {
  return { $ref: definitions.refFor(ref), ...(typeof description === "string" ? { description } : {}) };
}

/** An `allOf` with one schema and no other constraints is that schema, maybe a reference; otherwise all are merged. */
function cleanAllOf({ allOf, ...rest }: SchemaObject, parts: readonly SchemaObject[], taken: Taken) {
  const [only] = parts;
  taken.budget.payNames(namesOf([...parts, rest]));
  const adds = Object.keys(rest).some(
    (word) => taken.keywords.has(word) && !REMARKS.has(word) && word !== "$defs",
  );
  if (only && parts.length === 1 && !adds) return cleanObject({ ...only, ...rest }, taken);
  return taken.refs.writeOut([...parts, rest], (written) => cleanObject(joined(written), taken));
}

/** How many names have to be copied; those behind a reference are paid for when it is expanded. */
function namesOf(parts: readonly SchemaObject[]): number {
  let names = 0;
  for (const part of parts) {
    const { properties, required } = part;
    names += Object.keys(part).length;
    if (isObject(properties)) names += Object.keys(properties).length;
    if (Array.isArray(required)) names += required.length;
  }
  return names;
}

function joined(parts: readonly SchemaObject[]): SchemaObject {
  const list = (word: string) => parts.flatMap((part) => (Array.isArray(part[word]) ? part[word] : []));
  const properties = parts.flatMap((part) =>
    Object.entries(isObject(part["properties"]) ? part["properties"] : {}),
  );
  const required = [...new Set(list("required"))];
  return {
    ...Object.assign({}, ...parts),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    allOf: list("allOf"),
  };
}

/** The value of a keyword with `change` applied to each direct subschema. */
export function withSchemas(
  keyword: string,
  value: unknown,
  change: (schema: SchemaObject) => unknown,
): unknown {
  if (VALUES.has(keyword)) return value;
  const changed = (each: unknown) => (isObject(each) ? change(each) : each);
  if (Array.isArray(value)) return value.map(changed);
  if (!MAPS_OF_SCHEMAS.has(keyword) || !isObject(value)) return changed(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, changed(schema)]));
}

function typeNames(given: unknown): unknown {
  return Array.isArray(given) ? given.map(typeName) : typeName(given);
}

/** As JSON Schema spells it; unknown names are left to the provider. */
function typeName(type: unknown): unknown {
  return typeof type === "string" ? (TYPE_NAMES.get(type.toLowerCase()) ?? type) : type;
}
