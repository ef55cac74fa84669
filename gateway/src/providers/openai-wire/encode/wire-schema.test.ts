import { describe, expect, test } from "bun:test";
import { withoutKeywords } from "./wire-schema.ts";

const DROPS = ["$schema", "pattern"];

describe("a schema without keywords", () => {
  test("is the same object if there was nothing to remove", () => {
    const schema = {
      type: ["object", "null"],
      properties: { pattern: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["pattern"],
      default: { $schema: 1 },
    };
    expect(withoutKeywords(schema, DROPS)).toBe(schema);
  });

  test("has no null maps or lists if keywords are removed: maps become empty, lists are left out", () => {
    const inner = { type: "object", properties: null, required: null };
    const schema = { ...inner, properties: { properties: inner, required: { const: null } } };
    expect(withoutKeywords(schema, DROPS)).toEqual({
      type: "object",
      properties: { properties: { type: "object", properties: {} }, required: { const: null } },
    });
    expect(withoutKeywords(schema, [])).toBe(schema);
  });

  test("loses them at every depth without changing the original", () => {
    const kept = { type: "string" };
    const schema = JSON.parse(
      '{"$schema":"x","properties":{"a":{"items":[{"pattern":"p","__proto__":{"pattern":"q","type":"null"}}]},"b":{"type":"string"}}}',
    );
    schema.properties.b = kept;
    const before = JSON.stringify(schema);
    const plain = withoutKeywords(schema, DROPS) as typeof schema;
    expect(JSON.stringify(plain)).toBe(
      '{"properties":{"a":{"items":[{"__proto__":{"type":"null"}}]},"b":{"type":"string"}}}',
    );
    expect(plain.properties.b).toBe(kept);
    expect(JSON.stringify(schema)).toBe(before);
  });
});
