import { expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { moonshot, together } = WIRE_VENDORS;

/** A tool's parameters as they are sent, if the client speaks responses and if chat completions. */
function sent(parameters: Readonly<Record<string, unknown>>, vendor: WireVendor): readonly unknown[] {
  const tool = { name: "look", parameters };
  const tools = [{ type: "function", function: tool }];
  const bodies = [bodyFor({ tools: [tool] }, { vendor }), wireBodyFor({ tools }, { vendor })];
  return bodies.map((body) => (body["tools"] as typeof tools)[0]?.function.parameters);
}

const holding = (property: unknown) => ({ type: "object", properties: { a: property }, required: ["a"] });

test.each([
  [
    "a type beside a choice moves into its branches",
    { type: "string", anyOf: [{ enum: ["x"] }, { type: "null" }, { $ref: "#/$defs/b" }], description: "A." },
    { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }, { $ref: "#/$defs/b" }], description: "A." },
  ],
  [
    "so it does in the items of a list",
    { type: "array", items: { type: "object", anyOf: [{ properties: { b: { type: "string" } } }] } },
    { type: "array", items: { anyOf: [{ type: "object", properties: { b: { type: "string" } } }] } },
  ],
  [
    "a tuple has prefixItems, and no items that are false",
    { type: "array", items: [{ type: "string" }, { type: "number" }], minItems: 2 },
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2 },
  ],
  ["a tuple of the newer form", { prefixItems: [{}], items: false }, { prefixItems: [{}] }],
  ["a property of any value has an empty schema", true, {}],
  ["data stays what it is", { default: { anyOf: [1], type: "x" } }, { default: { anyOf: [1], type: "x" } }],
])("Moonshot's rules for the schema of a tool: %s", (_, given, accepted) => {
  for (const parameters of sent(holding(given), moonshot)) expect(parameters).toEqual(holding(accepted));
  for (const parameters of sent(holding(given), together)) expect(parameters).toEqual(holding(given));
});

test("at the top, where Moonshot requires a type, a choice becomes one object with the properties of all branches", () => {
  const branch = (name: string) => ({
    type: "object",
    properties: { [name]: { type: "string" } },
    required: ["file", name],
  });
  const given = {
    type: "object",
    properties: { file: { type: "string" } },
    anyOf: [branch("content"), branch("url")],
  };
  const text = { type: "string" };
  for (const parameters of sent(given, moonshot)) {
    expect(parameters).toEqual({
      type: "object",
      properties: { file: text, content: text, url: text },
      required: ["file"],
    });
  }
});

test("the schema of an answer follows the same rules", () => {
  const schema = holding({ type: "string", anyOf: [{ enum: ["x"] }] });
  const accepted = holding({ anyOf: [{ type: "string", enum: ["x"] }] });
  const responseFormat = { type: "json_schema" as const, name: "a", schema };
  const format = { type: "json_schema", json_schema: { name: "a", schema } };
  for (const body of [
    bodyFor({ responseFormat }, { vendor: moonshot }),
    wireBodyFor({ response_format: format }, { vendor: moonshot, request: { responseFormat } }),
  ]) {
    expect(body["response_format"]).toEqual({ ...format, json_schema: { name: "a", schema: accepted } });
  }
});
