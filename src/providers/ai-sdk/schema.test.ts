import { expect, test } from "bun:test";
import { cleanParameters, cleanSchema } from "./schema.ts";

const KEYWORDS = new Set(["type", "properties", "items", "enum", "anyOf", "$defs", "required"]);

test("keywords that are not taken go, at every depth; names of properties stay", () => {
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

test("values that look like keywords are data", () => {
  const schema = { type: "object", enum: [{ $schema: "kept", title: "kept" }] };
  expect(cleanSchema(schema, KEYWORDS)).toEqual(schema as object);
});

test("where all keywords are taken, only those about the schema itself go", () => {
  expect(cleanSchema({ $schema: "x", $id: "y", type: "string", pattern: "a" }, null)).toEqual({
    type: "string",
    pattern: "a",
  });
});

test("parameters are an object, whatever the client sent", () => {
  for (const parameters of [undefined, null, "text", [], { properties: {} }]) {
    expect(cleanParameters(parameters, null)).toEqual({ type: "object", properties: {} });
  }
});
