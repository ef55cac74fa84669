import { expect, test } from "bun:test";
import { withOpenTuples } from "./open-tuples.ts";

const places = { type: "array", prefixItems: [{ type: "string" }] } as const;
const closed = { ...places, items: false } as const;
const opened = (schema: object) => withOpenTuples(schema) as object;

test("what may follow the places of a tuple is left open wherever one stands", () => {
  expect(opened(closed)).toEqual(places);
  expect(opened({ anyOf: [closed, { type: "null" }] })).toEqual({ anyOf: [places, { type: "null" }] });
  expect(opened({ properties: { a: closed }, not: closed })).toEqual({
    properties: { a: places },
    not: places,
  });
  expect(opened({ prefixItems: [closed], items: closed })).toEqual({ prefixItems: [places], items: places });
});

test("a value is no schema, though it looks like one", () => {
  for (const keyword of ["enum", "const", "default", "examples", "required"]) {
    const schema = { [keyword]: keyword === "enum" ? [closed] : closed };
    expect(opened(schema)).toEqual(schema);
  }
});
