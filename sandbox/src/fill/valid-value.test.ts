import { describe, expect, test } from "bun:test";
import { accepts } from "../../../test/schema-judge.ts";
import { createRandom } from "../random.ts";
import { makeValue } from "./make-value.ts";
import { createEffort, createSchemaReader } from "./schema-reader.ts";

type Schema = Record<string, unknown>;

/** Valid for every seed. */
function expectValid(schema: Schema): void {
  for (const isFull of [true, false]) {
    for (let seed = 0; seed < 10; seed++) {
      const reader = createSchemaReader(schema, createEffort());
      const value = makeValue({ reader, random: createRandom(seed), isFull, said: "hi" });
      expect(accepts(schema, value), `made ${JSON.stringify(value)}`).toBe(true);
    }
  }
}

/** A constant, because the linter takes an object with a literal `then` for a promise. */
const THEN = "then";
const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});
const text = { type: "string" };
const whole = { type: "integer" };
const only = { additionalProperties: false };

describe("a recursive schema is filled down to a leaf", () => {
  const e = { $ref: "#/$defs/e" };
  const kid = { oneOf: [{ $ref: "#/$defs/e" }, object({ leaf: { const: true } })] };
  test.each<[string, Schema]>([
    ["an operation or a number", { anyOf: [object({ op: { enum: ["+"] }, left: e, right: e }), whole] }],
    ["a negation or a literal", { oneOf: [object({ not: e }, only), object({ lit: text }, only)] }],
    ["required children", object({ kids: { type: "array", minItems: 1, items: kid } })],
    ["a linked list", object({ v: whole, next: { anyOf: [e, { type: "null" }] } }, only)],
    ["a tree", object({ name: text, children: { type: "array", items: e } }, only)],
    [
      "three optional trees in each node",
      { type: "object", properties: { a: e, b: e, c: e, list: { items: e } } },
    ],
    [
      "recursion through three levels",
      { anyOf: [object({ a: object({ b: object({ c: e }) }) }), object({ d: whole })] },
    ],
  ])("%s", (_name, schema) => expectValid({ ...e, $defs: { e: schema } }));

  test("with required properties 40 levels deep", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39 ? whole : object({ x: { $ref: `#/$defs/d${at + 1}` } }),
      ]),
    );
    expectValid({ $ref: "#/$defs/d0", $defs });
  });
});

describe("a made value fits all parts of its schema together", () => {
  test.each<[string, Schema]>([
    ["two minimums", { allOf: [{ type: "integer", minimum: 50 }, { minimum: 1 }] }],
    ["two lists of options", { allOf: [{ enum: ["a", "b", "c"] }, { enum: ["c", "d"] }] }],
    ["two multiples", { allOf: [{ ...whole, multipleOf: 4 }, { multipleOf: 6 }] }],
    [
      "one property in two subschemas",
      {
        allOf: [
          object({ a: { ...text, minLength: 30 } }),
          { properties: { a: { maxLength: 40 }, b: whole } },
        ],
      },
    ],
    ["two anyOf", { allOf: [{ anyOf: [object({ a: text })] }, { anyOf: [object({ b: whole })] }] }],
    [
      "anyOf and oneOf",
      { type: "object", anyOf: [object({ a: whole })], oneOf: [object({ b: { type: "boolean" } })] },
    ],
    [
      "a $ref and the keywords beside it",
      object({ a: { $ref: "#/$defs/s", minLength: 20 } }, { $defs: { s: { ...text, maxLength: 25 } } }),
    ],
    [
      "an anyOf branch that contradicts the rest",
      object({ a: whole }, { anyOf: [{ properties: { a: text } }, { properties: { a: { minimum: 3 } } }] }),
    ],
    ["integer and number", { allOf: [{ type: "number" }, { type: ["integer", "null"], minimum: 2.5 }] }],
    [
      "a closed subschema",
      { allOf: [{ properties: { a: text, b: text } }, { properties: { a: {} }, ...only }] },
    ],
    [
      "if and then",
      object(
        { country: { enum: ["US"] }, zip: text },
        {
          if: { properties: { country: { const: "US" } } },
          [THEN]: { properties: { zip: { pattern: "^\\d{5}$" } } },
        },
      ),
    ],
    [
      "if, then and else",
      { ...whole, if: { minimum: 5 }, [THEN]: { multipleOf: 50 }, else: { maximum: -3 } },
    ],
    ["not", { ...whole, minimum: 1, maximum: 2, not: { const: 1 } }],
  ])("%s", (_name, schema) => expectValid(schema));
});

describe("a made object has exactly the properties that its schema allows and requires", () => {
  const abc = { type: "object", properties: { a: text, b: text, c: text } };
  test.each<[string, Schema]>([
    ["exactly one of two properties", { ...abc, oneOf: [{ required: ["a"] }, { required: ["b"] }] }],
    ["at most one property", { ...abc, maxProperties: 1 }],
    ["a forbidden property", { ...abc, properties: { a: text, b: false } }],
    ["dependentRequired", { ...abc, required: ["a"], dependentRequired: { a: ["z"] } }],
    ["dependentSchemas", { ...abc, required: ["a"], dependentSchemas: { a: object({ y: whole }) } }],
    ["the older dependencies", { ...abc, required: ["a"], dependencies: { a: ["z"] } }],
    ["not both of two properties", { ...abc, not: { required: ["a", "b"] } }],
    [
      "at least one known property, but not the first",
      { ...abc, ...only, minProperties: 1, not: { required: ["a"] } },
    ],
    [
      "at least two known properties, but not the first",
      { ...abc, ...only, minProperties: 2, not: { required: ["a"] } },
    ],
    ["at least one known property", { ...abc, ...only, minProperties: 1 }],
    ["additional properties", { type: "object", minProperties: 3, additionalProperties: whole }],
    [
      "propertyNames with a pattern",
      { type: "object", minProperties: 2, propertyNames: { pattern: "^[A-Z]{2}$" } },
    ],
    [
      "patternProperties",
      { type: "object", patternProperties: { "^x_\\d$": whole }, minProperties: 2, ...only },
    ],
    [
      "a required name of patternProperties",
      { type: "object", patternProperties: { "^x_": whole }, required: ["x_1"] },
    ],
    ["no unevaluatedProperties", { allOf: [object({ a: text })], unevaluatedProperties: false }],
    [
      "one of two closed shapes",
      {
        oneOf: [
          object({ kind: { const: "a" }, r: whole }, only),
          object({ kind: { const: "b" }, s: whole }, only),
        ],
      },
    ],
  ])("%s", (_name, schema) => expectValid(schema));
});

describe("a made value fits other drafts and references", () => {
  const draft = (name: string, schema: Schema) => ({
    $schema: `http://json-schema.org/${name}/schema#`,
    ...schema,
  });
  test.each<[string, Schema]>([
    [
      "a tuple of draft-07",
      draft("draft-07", { type: "array", items: [{ type: "number" }, { type: "boolean" }], minItems: 2 }),
    ],
    [
      "a closed tuple of draft-07",
      draft("draft-07", { type: "array", items: [whole], additionalItems: false, minItems: 1 }),
    ],
    [
      "an exclusive bound of draft-04",
      draft("draft-04", { ...whole, minimum: 3, exclusiveMinimum: true, maximum: 4 }),
    ],
    [
      "a percent-encoded $ref",
      object({ a: { $ref: "#/$defs/List%3Cint%3E" } }, { $defs: { "List<int>": whole } }),
    ],
    ["a $ref to a name with a slash", object({ a: { $ref: "#/$defs/a~1b" } }, { $defs: { "a/b": whole } })],
    ["a $ref into a list", object({ a: { $ref: "#/anyOf/0" } }, { anyOf: [{}] })],
  ])("%s", (_name, schema) => expectValid(schema));
});

describe("a made list is valid", () => {
  const unlike = (items: Schema, minItems: number): Schema => ({
    type: "array",
    items,
    minItems,
    uniqueItems: true,
  });
  test.each<[string, Schema]>([
    ["of unique UUIDs", unlike({ ...text, format: "uuid" }, 3)],
    ["of unique dates", unlike({ ...text, format: "date" }, 2)],
    ["of unique whole numbers", unlike(whole, 12)],
    ["of all ten whole numbers in a range", unlike({ ...whole, minimum: 0, maximum: 9 }, 10)],
    [
      "of unique numbers between 0 and 1",
      unlike({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 20),
    ],
    ["of both booleans", unlike({ type: "boolean" }, 2)],
    ["of both letters", unlike({ ...text, pattern: "^[ab]$" }, 2)],
    ["of unique texts of one character", unlike({ ...text, maxLength: 1 }, 12)],
    ["of unique objects", unlike(object({ id: whole }), 30)],
    [
      "of all six possible objects",
      unlike(object({ k: { enum: ["a", "b"] }, v: { ...whole, minimum: 0, maximum: 2 } }, only), 6),
    ],
    [
      "of objects with all forty options",
      unlike(object({ k: { enum: Array.from({ length: 40 }, (_, at) => at) } }), 40),
    ],
    [
      "of all four possible nested objects",
      unlike(object({ a: object({ b: { type: "boolean" } }), c: { type: "boolean" } }), 4),
    ],
    [
      "of prefixItems only",
      { type: "array", prefixItems: [{ const: 1 }], unevaluatedItems: false, minItems: 1 },
    ],
    [
      "of prefixItems in two schemas",
      {
        allOf: [{ type: "array", prefixItems: [text] }],
        prefixItems: [true, { type: "number" }],
        unevaluatedItems: false,
        minItems: 2,
      },
    ],
    ["of items that match contains only", { type: "array", contains: { const: 4 }, unevaluatedItems: false }],
    [
      "of all options of mixed types",
      unlike({ anyOf: [{ enum: ["a", "b"] }, { type: "boolean" }, { type: "null" }] }, 5),
    ],
    ["of 900 items", { type: "array", items: whole, minItems: 900 }],
    ["with an item that matches contains", { type: "array", items: whole, contains: { const: 42 } }],
    [
      "with two that match contains",
      { type: "array", contains: { ...text, minLength: 30 }, minContains: 2, maxItems: 3 },
    ],
    [
      "with exactly two that match contains",
      {
        ...{ type: "array", items: { type: ["string", "integer"] }, minItems: 5 },
        ...{ contains: text, minContains: 2, maxContains: 2 },
      },
    ],
    [
      "with none that matches contains",
      {
        type: "array",
        items: { type: ["string", "integer"] },
        minItems: 3,
        contains: text,
        minContains: 0,
        maxContains: 0,
      },
    ],
    [
      "of numbers that are not whole",
      { type: "array", items: { oneOf: [whole, { type: "number" }] }, minItems: 2 },
    ],
  ])("%s", (_name, schema) => expectValid(schema));

  test("and so is an object of 30 objects with 30 required numbers each", () => {
    const row = object(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`q${at}`, whole])), only);
    expectValid(object(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, row])), only));
  });
});
