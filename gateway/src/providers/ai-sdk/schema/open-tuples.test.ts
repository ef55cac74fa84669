import { expect, test } from "bun:test";
import { withOpenTuples } from "./open-tuples.ts";

const places = { type: "array", prefixItems: [{ type: "string" }] } as const;
const closed = { ...places, items: false } as const;
const opened = (schema: object) => withOpenTuples(schema) as object;

test("items: false of a tuple is removed at every depth", () => {
  expect(opened(closed)).toEqual(places);
  expect(opened({ anyOf: [closed, { type: "null" }] })).toEqual({ anyOf: [places, { type: "null" }] });
  expect(opened({ properties: { a: closed }, not: closed })).toEqual({
    properties: { a: places },
    not: places,
  });
  expect(opened({ prefixItems: [closed], items: closed })).toEqual({ prefixItems: [places], items: places });
});

test("values that look like schemas stay unchanged", () => {
  for (const keyword of ["enum", "const", "default", "examples", "required"]) {
    const schema = { [keyword]: keyword === "enum" ? [closed] : closed };
    expect(opened(schema)).toEqual(schema);
  }
});
