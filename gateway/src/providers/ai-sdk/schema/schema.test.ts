import { expect, test } from "bun:test";
import { cleanForm, cleanParameters, cleanSchema } from "./schema.ts";

const KEYWORDS = new Set(["type", "properties", "items", "enum", "anyOf", "$defs", "required"]);

test("unsupported keywords are dropped at every depth; property names stay", () => {
  const schema = {
    $schema: "x",
    type: "object",
    title: "T",
    properties: {
      $schema: { type: "string", pattern: "a" },
      title: { type: "array", items: { type: "string", minLength: 1 } },
    },
    required: ["title"],
    $defs: { pattern: { anyOf: [{ const: 1, title: "one" }, true] } },
  };
  expect(cleanSchema(schema, KEYWORDS)).toEqual({
    type: "object",
    properties: { $schema: { type: "string" }, title: { type: "array", items: { type: "string" } } },
    required: ["title"],
    $defs: { pattern: { anyOf: [{ enum: [1] }, true] } },
  } as object);
});

test("values that look like keywords stay unchanged", () => {
  const schema = { type: "object", enum: [{ $schema: "kept", title: "kept" }] };
  expect(cleanSchema(schema, KEYWORDS)).toEqual(schema as object);
});

test("if all keywords are accepted, only $schema and $id are dropped", () => {
  expect(cleanSchema({ $schema: "x", $id: "y", type: "string", pattern: "a" }, null)).toEqual({
    type: "string",
    pattern: "a",
  });
});

test("parameters without a usable schema become an empty object schema", () => {
  for (const parameters of [undefined, null, "text", [], { properties: {} }]) {
    expect(cleanParameters(parameters, null)).toEqual({ type: "object", properties: {} });
  }
});

const PERSON = { type: "object", properties: { name: { type: "string" } } };
const WITH_REFS = new Set([...KEYWORDS, "$ref", "description", "title"]);

test("definitions are moved to $defs, and references still find them", () => {
  const schema = {
    type: "object",
    properties: { who: { $ref: "#/definitions/Person" }, twin: { $ref: "#/properties/who" } },
    definitions: { Person: { ...PERSON, minProperties: 1 }, Friend: { items: { $ref: "#/$defs/Person" } } },
    $defs: { Person: { type: "string" } },
  };
  expect(cleanSchema(schema, WITH_REFS)).toEqual({
    type: "object",
    properties: { who: { $ref: "#/$defs/Person_2" }, twin: { $ref: "#/$defs/who" } },
    $defs: {
      Person: { type: "string" },
      Person_2: PERSON,
      Friend: { items: { $ref: "#/$defs/Person" } },
      who: { $ref: "#/$defs/Person_2" },
    },
  } as object);
});

test("definition names are rewritten in characters that need no escape", () => {
  const schema = { items: { $ref: "#/definitions/Page%3CA~1B%3E" }, definitions: { "Page<A/B>": PERSON } };
  expect(cleanSchema(schema, WITH_REFS)).toEqual({
    items: { $ref: "#/$defs/Page_A_B_" },
    $defs: { Page_A_B_: PERSON },
  } as object);
});

test("beside a $ref only the description is kept", () => {
  const who = {
    $ref: "#/$defs/Person",
    description: "The person",
    title: "Who",
    type: "object",
    default: null,
  };
  const schema = { properties: { who, $ref: { type: "string" } }, $defs: { Person: PERSON } };
  expect(cleanSchema(schema, WITH_REFS)).toEqual({
    properties: { who: { $ref: "#/$defs/Person", description: "The person" }, $ref: { type: "string" } },
    $defs: { Person: PERSON },
  } as object);
});

test("a dangling or external reference stays unchanged", () => {
  for (const $ref of ["#/definitions/Nobody", "#anchor", "https://example.com/schema", "#/%"]) {
    expect(cleanSchema({ items: { $ref } }, WITH_REFS)).toEqual({ items: { $ref } } as object);
  }
});

test("allOf with one schema becomes that schema; allOf with several is merged", () => {
  const schema = {
    properties: {
      boss: { title: "Boss", description: "The boss", allOf: [{ $ref: "#/definitions/Person" }] },
      small: { allOf: [{ type: "string", minLength: 1 }], description: "Small" },
      clerk: {
        allOf: [
          { $ref: "#/definitions/Person" },
          { properties: { desk: { type: "string" } }, required: ["desk"] },
        ],
        required: ["name"],
      },
    },
    definitions: { Person: PERSON },
  };
  expect(cleanSchema(schema, WITH_REFS)).toMatchObject({
    properties: {
      boss: { $ref: "#/$defs/Person", description: "The boss" },
      small: { type: "string", description: "Small" },
      clerk: {
        type: "object",
        properties: { name: { type: "string" }, desk: { type: "string" } },
        required: ["desk", "name"],
      },
    },
  } as object);
});

test("a recursive allOf is expanded once, and a $ref to the root becomes a definition", () => {
  const node = { allOf: [{ $ref: "#/$defs/Node" }, { properties: { at: { type: "string" } } }] };
  const $defs = { Node: { type: "object", properties: { next: node } } };
  expect(cleanSchema({ properties: { first: node }, $defs }, WITH_REFS)).toMatchObject({
    properties: {
      first: { type: "object", properties: { next: { properties: { at: {} } }, at: { type: "string" } } },
    },
  } as object);
  expect(cleanSchema({ properties: { me: { $ref: "#" } } }, WITH_REFS)).toEqual({
    properties: { me: { $ref: "#/$defs/root" } },
    $defs: { root: { properties: { me: { $ref: "#/$defs/root" } } } },
  } as object);
});

test("parameters that are only a $ref are resolved", () => {
  const schema = { $ref: "#/definitions/Args", definitions: { Args: PERSON } };
  for (const keywords of [WITH_REFS, null])
    expect(cleanParameters(schema, keywords)).toMatchObject(PERSON as object);
  expect(cleanParameters(schema, WITH_REFS)).not.toHaveProperty("$ref");
});

test.each([
  [{ type: ["object", "null"], properties: { a: { type: "string" } } }, { a: { type: "string" } }],
  [{ type: null, properties: { a: { type: "string" } } }, { a: { type: "string" } }],
  [{ properties: { a: { type: "string" } } }, { a: { type: "string" } }],
  [{ type: "string", enum: ["a"], minLength: 1 }, {}],
  [{ type: "array", items: { type: "string" } }, {}],
  [{ type: ["string", "null"], enum: ["a"] }, {}],
  [{ type: "STRING", enum: ["a"] }, {}],
  [{ $ref: "#/$defs/Nowhere" }, {}],
  [{ type: "object", properties: null, required: null }, {}],
  [{ type: "string", properties: null, enum: ["a"] }, {}],
  [
    { properties: { a: { type: "object", properties: null }, properties: { type: "string" } } },
    { a: { type: "object", properties: {} }, properties: { type: "string" } },
  ],
  [undefined, {}],
])("parameters always become an object schema: %j", (schema, properties) => {
  for (const keywords of [WITH_REFS, null])
    expect(cleanParameters(schema, keywords)).toEqual({ type: "object", properties } as object);
});

test("parameters of another type keep their description", () => {
  expect(cleanParameters({ type: "string", description: "A city" }, null)).toEqual({
    type: "object",
    properties: {},
    description: "A city",
  });
});

test.each(["OBJECT", "Object", "dict", "struct", "string"])(
  "properties are kept, whatever type the parameters name: %s",
  (type) => {
    const rest = { properties: { a: { type: "string" } }, required: ["a"] };
    for (const keywords of [WITH_REFS, null])
      expect(cleanParameters({ type, ...rest }, keywords)).toEqual({ type: "object", ...rest } as object);
  },
);

test("types are spelled as JSON Schema spells them, at every depth", () => {
  const schema = {
    type: "OBJECT",
    properties: {
      type: { type: "STRING", enum: ["STRING"] },
      tags: { type: "Array", items: { type: ["INTEGER", "Null"] } },
      size: { anyOf: [{ type: "float" }, { type: "dict" }, { type: "int" }, { type: "point" }] },
    },
    required: ["type"],
  };
  for (const clean of [cleanSchema, cleanParameters])
    expect(clean(schema, KEYWORDS)).toEqual({
      type: "object",
      properties: {
        type: { type: "string", enum: ["STRING"] },
        tags: { type: "array", items: { type: ["integer", "null"] } },
        size: { anyOf: [{ type: "number" }, { type: "object" }, { type: "integer" }, { type: "point" }] },
      },
      required: ["type"],
    } as object);
});

test("parameters that are an allOf with one $ref are resolved", () => {
  const schema = { allOf: [{ $ref: "#/definitions/Args" }], definitions: { Args: PERSON } };
  const cleaned = cleanParameters(schema, WITH_REFS);
  expect(cleaned).toMatchObject(PERSON as object);
  expect(cleaned).not.toHaveProperty("$ref");
});

test("nullable of OpenAPI becomes the type null where it is not accepted", () => {
  const clean = (schema: object, keywords: ReadonlySet<string> | null = KEYWORDS): object =>
    cleanSchema({ type: "object", properties: { a: schema } }, keywords).properties?.["a"] as object;
  expect(clean({ nullable: true, type: "string" })).toEqual({ type: ["string", "null"] });
  expect(clean({ type: ["string", "integer"], nullable: true })).toEqual({
    type: ["string", "integer", "null"],
  });
  expect(clean({ type: ["string", "null"], nullable: true })).toEqual({ type: ["string", "null"] });
  expect(clean({ type: "string", nullable: false })).toEqual({ type: "string" });
  expect(clean({ type: "string", enum: ["x"], nullable: true })).toEqual({ type: "string", enum: ["x"] });
  expect(clean({ anyOf: [{ type: "string" }], nullable: true })).toEqual({ anyOf: [{ type: "string" }] });
  const kept = { type: "string", nullable: true };
  expect(clean(kept, null)).toEqual(kept);
});

test("a response schema is cleaned once per object, and then reused", () => {
  const schema = { $schema: "x", type: "object" };
  const form = cleanForm(schema);
  expect(form).toEqual({ type: "object" });
  expect(cleanForm(schema)).toBe(form);
  expect(cleanForm({ ...schema })).not.toBe(form);
  expect(cleanForm(true)).toEqual({});
});
