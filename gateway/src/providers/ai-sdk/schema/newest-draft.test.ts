import { expect, test } from "bun:test";
import { createAnthropicProvider } from "../anthropic.ts";
import { createGoogleProvider } from "../google.ts";
import { callOf, events, startTestUpstream } from "../testing.ts";
import { cleanForm, cleanSchema } from "./schema.ts";

const PLACES = [{ type: "string" }, { type: "number" }];
const SOME = new Set(["type", "properties", "items", "prefixItems", "minimum", "maximum", "required"]);

const all = (schema: object): object => cleanSchema(schema, null);
const some = (schema: object): object => cleanSchema(schema, SOME);

test("a tuple of an older draft becomes prefixItems, at every depth", () => {
  for (const clean of [all, some]) {
    expect(clean({ type: "array", items: PLACES })).toEqual({ type: "array", prefixItems: PLACES });
    expect(clean({ items: [{ items: PLACES, additionalItems: { type: "ARRAY", items: PLACES } }] })).toEqual({
      prefixItems: [{ prefixItems: PLACES, items: { type: "array", prefixItems: PLACES } }],
    });
    expect(clean({ type: "array", items: [] })).toEqual({ type: "array" });
    const plain = { type: "array", items: { type: "string" } };
    expect(clean(plain)).toEqual(plain);
  }
});

test("additionalItems: false becomes items: false only if every keyword is accepted", () => {
  expect(all({ items: PLACES, additionalItems: false })).toEqual({ prefixItems: PLACES, items: false });
  expect(some({ items: PLACES, additionalItems: false })).toEqual({ prefixItems: PLACES });
});

test("a boolean exclusive bound becomes a number, or an inclusive bound where that is not accepted", () => {
  const open = { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true };
  const closed = { minimum: 1, exclusiveMinimum: false, maximum: 9, exclusiveMaximum: false };
  expect(all(open)).toEqual({ exclusiveMinimum: 1, exclusiveMaximum: 9 });
  expect(all(closed)).toEqual({ minimum: 1, maximum: 9 });
  expect(all({ exclusiveMinimum: true })).toEqual({});
  expect(all({ minimum: 1, exclusiveMinimum: 2 })).toEqual({ minimum: 1, exclusiveMinimum: 2 });
  for (const schema of [open, closed]) expect(some(schema)).toEqual({ minimum: 1, maximum: 9 });
});

test("required: true is dropped, and a property named required stays", () => {
  const required = { type: "string", required: true };
  for (const clean of [all, some]) {
    expect(clean({ type: "object", properties: { required }, required: ["required"] })).toEqual({
      type: "object",
      properties: { required: { type: "string" } },
      required: ["required"],
    });
  }
});

test("data that contains schema keywords stays unchanged", () => {
  const data = { items: ["a"], required: true, minimum: 1, exclusiveMinimum: true };
  for (const word of ["example", "x-meta", "default", "dependentRequired"]) {
    expect(all({ type: "object", [word]: data })).toEqual({ type: "object", [word]: data });
    expect(all({ items: { [word]: { inner: data } } })).toEqual({ items: { [word]: { inner: data } } });
  }
});

test("a response schema is converted as well", () => {
  expect(cleanForm({ items: PLACES, additionalItems: false }) as object).toEqual({
    prefixItems: PLACES,
    items: false,
  });
});

test.each([
  ["anthropic", createAnthropicProvider],
  ["google", createGoogleProvider],
])("a tool with a tuple of an older draft is sent with prefixItems: %s", async (_name, factory) => {
  const upstream = startTestUpstream(events());
  const parameters = { type: "object", properties: { at: { type: "array", items: PLACES } } };
  await callOf(upstream.provider(factory), { tools: [{ name: "go", parameters }] });
  upstream.close();
  expect(upstream.sent[0]?.text).toContain(JSON.stringify({ type: "array", prefixItems: PLACES }));
});
