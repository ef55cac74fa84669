import { expect, test } from "bun:test";
import { decodeResponseFormat } from "./response-format.ts";

test("the value of json_object is used as its schema, as Text Generation Inference and its clients write it", () => {
  const value = { type: "object", properties: { answer: { type: "integer" } } };
  const schema = { type: "object", properties: { other: { type: "string" } } };
  const decoded = (format: object) => decodeResponseFormat({ response_format: format });
  expect(decoded({ type: "json_object", value })).toMatchObject({ type: "json_schema", schema: value });
  expect(decoded({ type: "json_object", value, schema })).toMatchObject({ type: "json_schema", schema });
  expect(decoded({ type: "json_object", value: {} })).toEqual({ type: "json" });
  expect(decoded({ type: "json_object", value: { required: ["a"] } })).toMatchObject({
    schema: { type: "object", required: ["a"] },
  });
  expect(decoded({ type: "json_object", value: "none" })).toEqual({ type: "json" });
  expect(decoded({ type: "text", value })).toEqual({ type: "text" });
});

test.each([undefined, null])(
  "a json_schema whose schema is %p is refused with the field's path, as OpenAI does",
  (schema) => {
    const response_format = { type: "json_schema", json_schema: { name: "s", schema } };
    expect(() => decodeResponseFormat({ response_format })).toThrow(
      "response_format.json_schema.schema: must be a JSON schema",
    );
    const open = { type: "json_schema", json_schema: { schema: {} } };
    expect(decodeResponseFormat({ response_format: open })).toMatchObject({
      type: "json_schema",
      schema: {},
    });
  },
);
