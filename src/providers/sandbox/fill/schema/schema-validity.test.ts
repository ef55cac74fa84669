import { describe, expect, test } from "bun:test";
import { accepts } from "../../../../../test/schema-judge.ts";
import { createRandom } from "../../random.ts";
import { createClueReader } from "../clue-match.ts";
import { readClues } from "../clues.ts";
import type { ValueRequest } from "../fill-state.ts";
import { createSchemaReader } from "./schema-reader.ts";
import { makeValue } from "./schema-value.ts";

type Schema = Record<string, unknown>;

const PROMPTS = [
  "",
  'Order 3 apples at 2.50 for Bob in Paris, email: bob@x.org, name: "Ann", status a and c',
];
const MODES: readonly ValueRequest["optional"][] = ["made", "from_prompt"];

/** Valid for every prompt and seed. */
function expectValid(schema: Schema): void {
  for (const optional of MODES) {
    for (const prompt of PROMPTS) {
      for (let seed = 0; seed < 5; seed++) {
        const value = makeValue({
          reader: createSchemaReader(schema),
          clues: createClueReader(readClues(prompt)),
          random: createRandom(seed),
          optional,
        });
        expect(accepts(schema, value), `made ${JSON.stringify(value)}`).toBe(true);
      }
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

describe("a schema within itself is filled down to a leaf", () => {
  const e = { $ref: "#/$defs/e" };
  const kid = { oneOf: [{ $ref: "#/$defs/e" }, object({ leaf: { const: true } })] };
  test.each<[string, Schema]>([
    ["an operation or a number", { anyOf: [object({ op: { enum: ["+"] }, left: e, right: e }), whole] }],
    ["not this, or a text", { oneOf: [object({ not: e }, only), object({ lit: text }, only)] }],
    ["children that must be there", object({ kids: { type: "array", minItems: 1, items: kid } })],
    ["the next or nothing", object({ v: whole, next: { anyOf: [e, { type: "null" }] } }, only)],
    ["a tree", object({ name: text, children: { type: "array", items: e } }, only)],
    ["three trees in each", { type: "object", properties: { a: e, b: e, c: e, list: { items: e } } }],
    ["the long way round", { anyOf: [object({ a: object({ b: object({ c: e }) }) }), object({ d: whole })] }],
  ])("%s", (_name, schema) => expectValid({ ...e, $defs: { e: schema } }));

  test("however deep what is required lies", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39 ? whole : object({ x: { $ref: `#/$defs/d${at + 1}` } }),
      ]),
    );
    expectValid({ $ref: "#/$defs/d0", $defs });
  });
});

describe("all that is said holds at once", () => {
  test.each<[string, Schema]>([
    ["two minimums", { allOf: [{ type: "integer", minimum: 50 }, { minimum: 1 }] }],
    ["two lists of options", { allOf: [{ enum: ["a", "b", "c"] }, { enum: ["c", "d"] }] }],
    ["two multiples", { allOf: [{ ...whole, multipleOf: 4 }, { multipleOf: 6 }] }],
    ["two patterns", { ...text, allOf: [{ pattern: "^[a-z]{9}$" }, { pattern: "x$" }] }],
    [
      "one property in two parts",
      {
        allOf: [
          object({ a: { ...text, minLength: 30 } }),
          { properties: { a: { maxLength: 40 }, b: whole } },
        ],
      },
    ],
    ["two choices", { allOf: [{ anyOf: [object({ a: text })] }, { anyOf: [object({ b: whole })] }] }],
    [
      "a choice of each kind",
      { type: "object", anyOf: [object({ a: whole })], oneOf: [object({ b: { type: "boolean" } })] },
    ],
    [
      "a reference and what stands beside it",
      object({ a: { $ref: "#/$defs/s", minLength: 20 } }, { $defs: { s: { ...text, maxLength: 25 } } }),
    ],
    [
      "a branch that contradicts what holds anyway",
      object({ a: whole }, { anyOf: [{ properties: { a: text } }, { properties: { a: { minimum: 3 } } }] }),
    ],
    ["whole and a number", { allOf: [{ type: "number" }, { type: ["integer", "null"], minimum: 2.5 }] }],
    ["a closed part", { allOf: [{ properties: { a: text, b: text } }, { properties: { a: {} }, ...only }] }],
    [
      "two lists",
      { allOf: [{ prefixItems: [whole] }, { type: "array", minItems: 3, items: { minimum: 7 } }] },
    ],
    [
      "a condition",
      object(
        { country: { enum: ["US"] }, zip: text },
        {
          if: { properties: { country: { const: "US" } } },
          [THEN]: { properties: { zip: { pattern: "^\\d{5}$" } } },
        },
      ),
    ],
    ["its other side", { ...whole, if: { minimum: 5 }, [THEN]: { multipleOf: 50 }, else: { maximum: -3 } }],
    ["what it must not be", { ...whole, minimum: 1, maximum: 2, not: { const: 1 } }],
  ])("%s", (_name, schema) => expectValid(schema));
});

describe("an object has what its schema wants and no more", () => {
  const abc = { type: "object", properties: { a: text, b: text, c: text } };
  test.each<[string, Schema]>([
    ["exactly one of two", { ...abc, oneOf: [{ required: ["a"] }, { required: ["b"] }] }],
    ["at most one", { ...abc, maxProperties: 1 }],
    ["one that may not be", { ...abc, properties: { a: text, b: false } }],
    ["one that brings another", { ...abc, required: ["a"], dependentRequired: { a: ["z"] } }],
    ["one that brings a schema", { ...abc, required: ["a"], dependentSchemas: { a: object({ y: whole }) } }],
    ["brought in the old way", { ...abc, required: ["a"], dependencies: { a: ["z"] } }],
    ["not both", { ...abc, not: { required: ["a", "b"] } }],
    [
      "one of those there are, but not the first",
      { ...abc, ...only, minProperties: 1, not: { required: ["a"] } },
    ],
    [
      "two of those there are, but not the first",
      { ...abc, ...only, minProperties: 2, not: { required: ["a"] } },
    ],
    ["at least one of those there are", { ...abc, ...only, minProperties: 1 }],
    ["others", { type: "object", minProperties: 3, additionalProperties: whole }],
    [
      "others of certain names",
      { type: "object", minProperties: 2, propertyNames: { pattern: "^[A-Z]{2}$" } },
    ],
    [
      "names by a pattern",
      { type: "object", patternProperties: { "^x_\\d$": whole }, minProperties: 2, ...only },
    ],
    [
      "a required name by a pattern",
      { type: "object", patternProperties: { "^x_": whole }, required: ["x_1"] },
    ],
    ["nothing beside its parts", { allOf: [object({ a: text })], unevaluatedProperties: false }],
    [
      "one of two shapes",
      {
        oneOf: [
          object({ kind: { const: "a" }, r: whole }, only),
          object({ kind: { const: "b" }, s: whole }, only),
        ],
      },
    ],
  ])("%s", (_name, schema) => expectValid(schema));
});

describe("other drafts and other references", () => {
  const draft = (name: string, schema: Schema) => ({
    $schema: `http://json-schema.org/${name}/schema#`,
    ...schema,
  });
  test.each<[string, Schema]>([
    [
      "a tuple",
      draft("draft-07", { type: "array", items: [{ type: "number" }, { type: "boolean" }], minItems: 2 }),
    ],
    [
      "a closed one",
      draft("draft-07", { type: "array", items: [whole], additionalItems: false, minItems: 1 }),
    ],
    ["an open bound", draft("draft-04", { ...whole, minimum: 3, exclusiveMinimum: true, maximum: 4 })],
    ["an anchor", object({ a: { $ref: "#num" } }, { $defs: { s: { $anchor: "num", ...whole } } })],
    ["escapes", object({ a: { $ref: "#/$defs/List%3Cint%3E" } }, { $defs: { "List<int>": whole } })],
    ["a slash in a name", object({ a: { $ref: "#/$defs/a~1b" } }, { $defs: { "a/b": whole } })],
    [
      "an address",
      object(
        { a: { $ref: "https://x.example/r#/$defs/n" } },
        { $id: "https://x.example/r", $defs: { n: whole } },
      ),
    ],
    [
      "a relative one",
      object(
        { a: { $ref: "n.json" } },
        { $id: "https://x.example/q", $defs: { n: { $id: "n.json", ...whole } } },
      ),
    ],
    ["a part of a list", object({ a: { $ref: "#/anyOf/0" } }, { anyOf: [{}] })],
  ])("%s", (_name, schema) => expectValid(schema));
});

describe("a list", () => {
  const unlike = (items: Schema, minItems: number): Schema => ({
    type: "array",
    items,
    minItems,
    uniqueItems: true,
  });
  test.each<[string, Schema]>([
    ["of identifiers", unlike({ ...text, format: "uuid" }, 3)],
    ["of days", unlike({ ...text, format: "date" }, 2)],
    ["of whole numbers", unlike(whole, 12)],
    ["of few whole numbers", unlike({ ...whole, minimum: 0, maximum: 9 }, 10)],
    ["of numbers in a span", unlike({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 20)],
    ["of both booleans", unlike({ type: "boolean" }, 2)],
    ["of both letters", unlike({ ...text, pattern: "^[ab]$" }, 2)],
    ["of short texts", unlike({ ...text, maxLength: 1 }, 12)],
    ["of objects", unlike(object({ id: whole }), 30)],
    [
      "of few objects",
      unlike(object({ k: { enum: ["a", "b"] }, v: { ...whole, minimum: 0, maximum: 2 } }, only), 6),
    ],
    [
      "of objects with many options",
      unlike(object({ k: { enum: Array.from({ length: 40 }, (_, at) => at) } }), 40),
    ],
    [
      "of few objects within objects",
      unlike(object({ a: object({ b: { type: "boolean" } }), c: { type: "boolean" } }), 4),
    ],
    ["of few lists", unlike({ type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 2 }, 4)],
    [
      "of what has places of its own alone",
      { type: "array", prefixItems: [{ const: 1 }], unevaluatedItems: false, minItems: 1 },
    ],
    [
      "of places that two schemas speak of",
      {
        allOf: [{ type: "array", prefixItems: [text] }],
        prefixItems: [true, { type: "number" }],
        unevaluatedItems: false,
        minItems: 2,
      },
    ],
    ["of nothing but what it must have", { type: "array", contains: { const: 4 }, unevaluatedItems: false }],
    ["of mixed options", unlike({ anyOf: [{ enum: ["a", "b"] }, { type: "boolean" }, { type: "null" }] }, 5)],
    ["of many", { type: "array", items: whole, minItems: 900 }],
    ["with one that it must have", { type: "array", items: whole, contains: { const: 42 } }],
    [
      "with two of them",
      { type: "array", contains: { ...text, minLength: 30 }, minContains: 2, maxItems: 3 },
    ],
    [
      "with two of them and no more",
      {
        ...{ type: "array", items: { type: ["string", "integer"] }, minItems: 5 },
        ...{ contains: text, minContains: 2, maxContains: 2 },
      },
    ],
    [
      "with none of them",
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
      "of what is a number and not whole",
      { type: "array", items: { oneOf: [whole, { type: "number" }] }, minItems: 2 },
    ],
  ])("%s", (_name, schema) => expectValid(schema));

  test("of hundreds of objects has no gaps", () => {
    const row = object(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`q${at}`, whole])), only);
    expectValid(object(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, row])), only));
  });
});
