import { expect, test } from "bun:test";
import { isBetterAsTool } from "./form-tool.ts";

type Schema = Readonly<Record<string, unknown>>;

const MAP = { type: "object", additionalProperties: { type: "number" } };
const NODE = closed({ next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } });

function closed(properties: Schema, more: Schema = {}): Schema {
  return { type: "object", properties, additionalProperties: false, ...more };
}

test.each<[string, Schema]>([
  ["a map", MAP],
  ["an open object", closed({ n: { type: "number" } }, { additionalProperties: true })],
  ["a nested map", closed({ list: { type: "array", items: { anyOf: [{ type: "null" }, MAP] } } })],
  ["a map behind a $ref", closed({ map: { $ref: "#/definitions/map" } }, { definitions: { map: MAP } })],
  ["recursion", closed({ node: { $ref: "#/$defs/node" } }, { $defs: { node: NODE } })],
  ["recursion from the top", closed({ parts: { type: "array", items: { $ref: "#" } } })],
  ["recursion behind a $ref", { $ref: "#/$defs/node", $defs: { node: NODE } }],
  ["a map with its type in capitals", { ...MAP, type: "OBJECT" }],
])("a response schema is better as a tool if it has %s", (_name, schema) => {
  expect(isBetterAsTool(schema)).toBe(true);
});

const POINT = closed({ x: { type: "number" } });

test.each<[string, Schema]>([
  ["is closed", closed({ n: { type: "number" }, additionalProperties: { type: "object" } })],
  ["has a map only as a value", closed({ n: { type: "object", default: MAP, enum: [MAP] } })],
  ["references one definition twice", closed(twice({ $ref: "#/$defs/point" }), { $defs: { point: POINT } })],
  ["does not use its open definitions", closed({ point: POINT }, { $defs: { node: NODE, map: MAP } })],
  ["has dangling references", closed({ n: { $ref: "#/$defs/none" }, m: { $ref: "elsewhere.json" } })],
  ["is a list", { type: "array", items: MAP }],
  ["has no type", { additionalProperties: { type: "number" } }],
  ...["anyOf", "oneOf", "allOf"].map((choice): [string, Schema] => [
    `has ${choice}`,
    { ...MAP, [choice]: [MAP] },
  ]),
])("a response schema keeps its field if it %s", (_name, schema) => {
  expect(isBetterAsTool(schema)).toBe(false);
});

function twice(schema: Schema): Schema {
  return { from: schema, to: schema };
}

test("a chain of 1,000 references is not followed to its end", () => {
  const length = 1_000;
  const chain = Array.from({ length }, (_, at) => [
    `d${at}`,
    closed({ next: { $ref: `#/$defs/d${at + 1}` } }),
  ]);
  const $defs = { ...Object.fromEntries(chain), [`d${length}`]: MAP };
  expect(isBetterAsTool(closed({ first: { $ref: "#/$defs/d0" } }, { $defs }))).toBe(false);
});
