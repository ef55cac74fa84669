import type { JSONSchema7 } from "@ai-sdk/provider";
import { isObject } from "../../../kit/index.ts";
import { MAPS_OF_SCHEMAS, OF_SCHEMAS, VALUES } from "../../schema-words.ts";
import { type Definitions, gatherDefinitions, isDefinitionsWord } from "./definitions.ts";
import { createLocalRefs, type LocalRefs, objectsIn, type SchemaObject, writeOutTop } from "./local-refs.ts";
import { inNewestDraft, refInNewestDraft } from "./newest-draft.ts";
import { createUnfoldBudget, type UnfoldBudget } from "./unfold-budget.ts";

/** Keywords that say something about the schema and nothing about the value; some providers refuse them. */
const NEVER_SENT: ReadonlySet<string> = new Set(["$schema", "$id", "$comment"]);
/** They explain a value and demand nothing of it. */
const REMARKS: ReadonlySet<string> = new Set(["title", "description"]);

const OTHERS_THAN_OBJECT: readonly string[] = ["array", "string", "number", "integer", "boolean", "null"];
/** Of Google's clients, which write them large, and of Python, in whose words many tools are described. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ...["object", ...OTHERS_THAN_OBJECT].map((name) => [name, name] as const),
  ["dict", "object"],
  ["list", "array"],
  ["str", "string"],
  ["float", "number"],
  ["int", "integer"],
  ["bool", "boolean"],
]);

/** Of a provider that takes every keyword: the document that references are looked up in. */
type AllTaken = { readonly keywords: null; readonly root: SchemaObject };

/** What a provider takes that does not take everything, and what is needed to say the rest in its words. */
type Taken = {
  readonly keywords: ReadonlySet<string>;
  readonly refs: LocalRefs;
  readonly definitions: Definitions;
  readonly budget: UnfoldBudget;
};

/**
 * A client's schema with only the keywords that the provider takes. Names of properties are left alone,
 * whatever they look like. Depth is bounded by the JSON depth that the edge accepts.
 */
export function cleanSchema(
  schema: unknown,
  keywords: ReadonlySet<string> | null,
  budget = createUnfoldBudget([schema]),
): JSONSchema7 {
  if (!isObject(schema)) return {};
  if (keywords === null) return cleanObject(schema, { keywords, root: schema }) as JSONSchema7;
  const refs = createLocalRefs(schema, budget);
  const definitions = gatherDefinitions(schema, refs);
  const taken = { keywords, refs, definitions, budget };
  const cleaned = cleanObject(schema, taken);
  const $defs: Record<string, unknown> = {};
  // One by one: what a definition refers to may be the next of them.
  for (const [name, definition] of definitions.all()) {
    $defs[name] = isObject(definition) ? cleanObject(definition, taken) : definition;
  }
  return (Object.keys($defs).length === 0 ? cleaned : { ...cleaned, $defs }) as JSONSchema7;
}

/** By the schema that each was made of: one request asks for its form several times, and a form may be large. */
const CLEANED_FORMS = new WeakMap<object, JSONSchema7>();

/** A form for a provider that takes all keywords, which may have to become the parameters of a tool. Nobody changes it. */
export function cleanForm(schema: unknown): JSONSchema7 {
  if (!isObject(schema)) return {};
  const known = CLEANED_FORMS.get(schema);
  if (known !== undefined) return known;
  const form = cleanSchema(writeOutTop(schema), null);
  CLEANED_FORMS.set(schema, form);
  return form;
}

/** A tool's parameters: always an object, as every provider demands, also where the client sent none. */
export function cleanParameters(
  schema: unknown,
  keywords: ReadonlySet<string> | null,
  budget = createUnfoldBudget([schema]),
): JSONSchema7 {
  const cleaned = cleanSchema(isObject(schema) ? writeOutTop(schema, budget) : schema, keywords, budget);
  // All of one name has become that name; one that leads nowhere says nothing.
  const { $ref: _lost, ...written } = writeOutTop(cleaned as SchemaObject, budget);
  return asObject(written);
}

function asObject(schema: SchemaObject): JSONSchema7 {
  const { type, properties, description } = schema;
  if (type === "object") return schema as JSONSchema7;
  // What it demands of a text or a list no object could have; one that names properties only calls itself wrongly.
  if (
    (!isObject(properties) || Object.keys(properties).length === 0) &&
    [type ?? "object"].flat().every((name) => OTHERS_THAN_OBJECT.includes(String(name)))
  )
    return { type: "object", properties: {}, ...(typeof description === "string" ? { description } : {}) };
  return { properties: {}, ...schema, type: "object" };
}

/** `isSchema`: by the keywords that lead to it; elsewhere the words of older drafts may be anybody's own. */
function cleanObject(given: SchemaObject, all: Taken | AllTaken, isSchema = true): Record<string, unknown> {
  const taken = all.keywords === null ? null : all;
  const schema = isSchema ? inNewestDraft(given, all.keywords) : given;
  const parts = objectsIn(schema["allOf"]);
  if (taken && parts.length > 0 && !taken.keywords.has("allOf")) return cleanAllOf(schema, parts, taken);
  if (taken && typeof schema["$ref"] === "string") return cleanRef(schema["$ref"], schema, taken);
  const cleaned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (NEVER_SENT.has(keyword) || (taken && isDefinitionsWord(keyword))) continue;
    if (taken?.keywords.has(keyword) === false) {
      // The same demand in a word that more providers know.
      if (keyword === "const" && !("enum" in schema)) cleaned["enum"] = [value];
      continue;
    }
    if (keyword === "type") cleaned[keyword] = typeNames(value);
    else if (keyword === "$ref" && all.keywords === null && typeof value === "string")
      cleaned[keyword] = refInNewestDraft(value, all.root);
    else {
      const holdsSchemas = isSchema && OF_SCHEMAS.has(keyword);
      cleaned[keyword] = withSchemas(keyword, value, (each) => cleanObject(each, all, holdsSchemas));
    }
  }
  if (taken?.keywords.has(NULLABLE) === false && schema[NULLABLE] === true) allowNull(cleaned);
  return cleaned;
}

/** The word of OpenAPI for what JSON Schema says by a second type. */
const NULLABLE = "nullable";

/** Of one with a type and all of its values: a list of values would have to name it too, and not every provider reads it. */
function allowNull(schema: Record<string, unknown>): void {
  const { type } = schema;
  if (type !== undefined && !("enum" in schema)) schema["type"] = [...new Set([type, "null"].flat())];
}

/** Beside a reference such providers take a description, and refuse the call for anything else. */
function cleanRef(ref: string, { description }: SchemaObject, { definitions }: Taken) {
  return { $ref: definitions.refFor(ref), ...(typeof description === "string" ? { description } : {}) };
}

/** All of one that nothing is added to is that one, which may be a reference; otherwise one with the demands of each. */
function cleanAllOf({ allOf, ...rest }: SchemaObject, parts: readonly SchemaObject[], taken: Taken) {
  const [only] = parts;
  taken.budget.payNames(namesOf([...parts, rest]));
  const adds = Object.keys(rest).some(
    (word) => taken.keywords.has(word) && !REMARKS.has(word) && word !== "$defs",
  );
  if (only && parts.length === 1 && !adds) return cleanObject({ ...only, ...rest }, taken);
  return taken.refs.writeOut([...parts, rest], (written) => cleanObject(joined(written), taken));
}

/** How many there are to be carried over; those of a reference are paid for where it is followed. */
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

/** What stands under a keyword, with every schema right below it changed. */
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

/** As JSON Schema spells it; a name that nobody knows is left to the provider. */
function typeName(type: unknown): unknown {
  return typeof type === "string" ? (TYPE_NAMES.get(type.toLowerCase()) ?? type) : type;
}
