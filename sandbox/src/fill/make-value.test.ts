import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { fastestMs } from "../../../test/fastest.ts";
import { createRandom } from "../random.ts";
import type { JsonValue } from "./check-value.ts";
import { makeValue } from "./make-value.ts";
import { createEffort, createSchemaReader } from "./schema-reader.ts";

function fill(schema: unknown, seed = 1): JsonValue {
  const reader = createSchemaReader(schema, createEffort());
  return makeValue({ reader, random: createRandom(seed), isFull: true, said: "hi" });
}

/** An independent implementation of JSON Schema checks what we made. */
function accepts(schema: Record<string, unknown>, value: JsonValue): boolean {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
}

const SCHEMAS: readonly [string, Record<string, unknown>][] = [
  [
    "an object",
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
  ],
  ["an enum", { type: "string", enum: ["red", "green"] }],
  ["a constant", { const: 7 }],
  ["a whole number between bounds", { type: "integer", minimum: 10, exclusiveMaximum: 12 }],
  ["a number above a bound", { type: "number", exclusiveMinimum: 0, maximum: 0.5 }],
  ["a multiple", { type: "number", multipleOf: 0.25, minimum: 0.3 }],
  ["a text with a minimum and a maximum length", { type: "string", minLength: 40, maxLength: 41 }],
  ["a text with a pattern", { type: "string", pattern: "^[a-z]{2}-[0-9]{3}$" }],
  ["a date-time", { type: "string", format: "date-time" }],
  ["an email address", { type: "string", format: "email" }],
  ["a unique list", { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 3, uniqueItems: true }],
  ["a list of a fixed length", { type: "array", items: { type: "integer" }, minItems: 4, maxItems: 4 }],
  ["a pair", { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false }],
  ["an integer or null", { anyOf: [{ type: "null" }, { type: "integer" }] }],
  ["one of two types", { oneOf: [{ type: "string" }, { type: "integer" }] }],
  ["a nullable type", { type: ["string", "null"] }],
  ["an open object", { type: "object", additionalProperties: { type: "integer" }, minProperties: 2 }],
  [
    "references",
    {
      $defs: { p: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
      $ref: "#/$defs/p",
    },
  ],
];

describe("a made value", () => {
  test.each([...SCHEMAS])("is valid for %s", (_name, schema) => {
    for (let seed = 0; seed < 20; seed++) expect(accepts(schema, fill(schema, seed))).toBe(true);
  });

  const leaf = fc.constantFrom(
    ...SCHEMAS.map(([, schema]) => schema).filter((schema) => schema["$ref"] === undefined),
  );
  const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("tree"), minItems: fc.nat(3) }),
      fc
        .dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie("tree"), { maxKeys: 4 })
        .map((properties) => ({ type: "object", properties, required: Object.keys(properties).slice(0, 2) })),
    ),
  }));

  test("is valid for any nested schema", () => {
    fc.assert(
      fc.property(tree, fc.nat(), (schema, seed) => {
        expect(accepts(schema, fill(schema, seed))).toBe(true);
      }),
    );
  });

  test("keeps the pattern of a required field that its format contradicts", () => {
    const items = { type: "string", format: "time", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };
    const properties = { at: items, hours: { type: "array", items, minItems: 1 } };
    expect(fill({ type: "object", properties, required: ["at", "hours"] })).toEqual({
      at: expect.stringMatching(/^\d\d:\d\d$/),
      hours: Array(2).fill(expect.stringMatching(/^\d\d:\d\d$/)),
    });
  });

  test("is the same for the same seed", () => {
    const schema = { type: "array", items: { type: "string" }, minItems: 5 };
    expect(fill(schema, 9)).toEqual(fill(schema, 9));
  });

  const endless = { $ref: "#" };
  const other = { $ref: "#/$defs/a" };
  const many = <Value>(count: number, value: Value): Record<string, Value> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, value]));
  const names = Object.keys(many(8000, 0));
  const twice = (next: number) => ({
    type: "object",
    properties: { l: { $ref: `#/$defs/d${next}` }, r: { $ref: `#/$defs/d${next}` } },
    required: ["l", "r"],
  });
  const doubling = {
    $defs: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d${at}`, twice(at + 1)])),
    $ref: "#/$defs/d0",
  };
  const thousand = (items: unknown) => ({ type: "array", minItems: 1000, items });
  const doubled = (schema: unknown, levels: number): unknown =>
    levels === 0
      ? schema
      : doubled({ type: "object", properties: { a: schema, b: schema }, required: ["a", "b"] }, levels - 1);
  const wicked = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `^(x+x+)+y${at}$`,
      { type: "string", pattern: `^(?=(a+)+$)(b|b)*x${at}$` },
    ]),
  );
  const coprime = Array.from({ length: 64 }, (_, at) => ({
    type: "integer",
    multipleOf: 1_000_003 + at * 2,
  }));
  test.each<[string, unknown]>([
    ["a reference to itself", endless],
    [
      "a required property that requires itself",
      { type: "object", properties: { a: endless }, required: ["a"] },
    ],
    ["allOf itself 50 times", { allOf: Array.from({ length: 50 }, () => endless) }],
    ["a list of itself", { type: "array", items: endless, minItems: 100 }],
    ["an external reference", { $ref: "https://example.com/schema.json" }],
    ["a reference to a missing definition", { $ref: "#/$defs/none" }],
    ["a reference to the prototype", { $ref: "#/constructor/prototype" }],
    ["no schema", null],
    ["nonsense", { type: "purple", enum: [], anyOf: [], items: 3, required: "a", minItems: -1 }],
    ["bounds that contradict each other", { type: "integer", minimum: 5, maximum: 1, minLength: 1e12 }],
    [
      "thousands of properties, repeated in every part",
      { allOf: Array.from({ length: 31 }, () => other), $defs: { a: { properties: many(3000, endless) } } },
    ],
    [
      "thousands of properties in a branch",
      { anyOf: [other], $defs: { a: { properties: many(3000, endless) } } },
    ],
    [
      "thousands of required names, repeated in every part",
      {
        allOf: Array.from({ length: 31 }, () => other),
        $defs: { a: { required: names, properties: many(300, endless) } },
      },
    ],
    ["thousands of keywords", { ...many(50_000, 1), properties: many(500, endless) }],
    ["a long reference in 500 properties", { properties: many(500, { $ref: `#${"/a".repeat(10_000)}` }) }],
    ["a long enum in 500 properties", { properties: many(500, other), $defs: { a: { enum: names } } }],
    [
      "50,000 branches in 500 properties",
      {
        properties: many(500, other),
        $defs: { a: { anyOf: Array.from({ length: 50_000 }, () => ({ type: "null" })) } },
      },
    ],
    ["definitions that each refer twice to the next", doubling],
    ["a text of an absurd length", { type: "string", minLength: 1e12 }],
    ["lists of lists of lists", thousand(thousand(thousand({ type: "integer" })))],
    ["a thousand long texts", thousand({ type: "string", minLength: 10_000 })],
    ["a thousand large constants", thousand({ const: many(5000, "x") })],
    ["more unique items than there are values", { ...thousand({ type: "boolean" }), uniqueItems: true }],
    [
      "an impossible schema, doubled at every level",
      doubled({ type: "integer", not: { type: "integer" } }, 20),
    ],
    ["hundreds of hostile patterns", { properties: wicked, required: Object.keys(wicked) }],
    [
      "every name requiring every other",
      { properties: many(2000, {}), dependentRequired: many(2000, names.slice(0, 2000)) },
    ],
    [
      "thousands of dependencies",
      { properties: many(100, {}), dependentSchemas: many(2000, { required: ["z"] }) },
    ],
    [
      "thousands of names against hundreds of patterns",
      { properties: many(3000, {}), patternProperties: wicked },
    ],
    ["multiples with hundreds of digits", thousand({ type: "number", multipleOf: 1e-300, minimum: 1e300 })],
    ["multiples without a small common multiple", { allOf: coprime }],
  ])("is made quickly and stays small for %s", (_name, schema) => {
    expect(JSON.stringify(fill(schema)).length).toBeLessThan(1_000_000);
    // What blocks the process for longer delays every other call.
    expect(fastestMs(() => fill(schema), 12, 250)).toBeLessThan(250);
  });
});
