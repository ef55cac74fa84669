import { expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import { ProviderFailure } from "../../../contract/index.ts";
import { flattenParameters } from "./flat-parameters.ts";

const A = {
  type: "object",
  properties: { kind: { const: "a" }, x: { type: "string" }, note: { type: "string" } },
  required: ["kind", "x"],
};
const B = {
  type: "object",
  properties: { kind: { const: "b" }, y: { type: "string" }, note: { type: "string" } },
  required: ["kind", "y"],
};
const BOTH = {
  type: "object",
  properties: {
    kind: { anyOf: [{ const: "a" }, { const: "b" }] },
    x: { type: "string" },
    y: { type: "string" },
    note: { type: "string" },
  },
  required: ["kind"],
};

test("a choice between referenced schemas keeps the properties of all", () => {
  const $defs = { A, B };
  expect(flattenParameters({ anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }], $defs })).toEqual({
    ...BOTH,
    $defs,
  });
});

test("nested choices and references are resolved", () => {
  const definitions = { A, "B/~": B, Named: { $ref: "#/definitions/B~1~0" }, Inner: { oneOf: [A] } };
  const schema = {
    anyOf: [{ anyOf: [{ $ref: "#/definitions/Inner" }] }, { $ref: "#/definitions/Named" }],
    definitions,
  };
  expect(flattenParameters(schema)).toEqual({ ...BOTH, definitions });
});

test("parameters that are only a $ref are resolved", () => {
  const definitions = { Args: A };
  expect(flattenParameters({ $ref: "#/definitions/Args", definitions })).toEqual({ ...A, definitions });
});

test("allOf keeps the required properties of each part", () => {
  const schema = { allOf: [{ $ref: "#/$defs/A" }, { required: ["y"] }], $defs: { A } };
  expect(flattenParameters(schema)).toMatchObject({ required: ["kind", "x", "y"] });
});

test("circular and dangling references add nothing", () => {
  const schema = {
    anyOf: [{ $ref: "#" }, { $ref: "#/$defs/Loop" }, { $ref: "#/$defs/Nobody" }, { $ref: "#/$defs/A" }],
    $defs: { A, Loop: { $ref: "#/$defs/Loop" } },
  };
  expect(flattenParameters(schema)).toMatchObject({ properties: A.properties, required: A.required });
  expect(flattenParameters({ $ref: "#" })).toEqual({ $ref: "#" });
});

test("a schema that expands exponentially is refused", () => {
  const names = Array.from({ length: 40 }, (_, index) => index);
  const next = (index: number) => ({ $ref: `#/$defs/L${index + 1}` });
  const $defs = Object.fromEntries(
    names.map((index) => [`L${index}`, { anyOf: [next(index), next(index)] }] as const),
  );
  expect(() => flattenParameters({ anyOf: [next(-1)], $defs: { ...$defs, L40: A } })).toThrow(
    ProviderFailure,
  );
});

test("20,000 names are flattened and 300,000 choices are refused, each within 300 ms", () => {
  const required = Array.from({ length: 20_000 }, (_, number) => `name${number}`);
  const names = { anyOf: [{ required }, { required: required.toReversed() }] };
  expect(flattenParameters(names)).toMatchObject({ required });
  expect(fastestMs(() => flattenParameters(names), 3, 300)).toBeLessThan(300);
  const choices = { allOf: Array.from({ length: 300_000 }, () => ({})) };
  const flattened = () => expect(() => flattenParameters(choices)).toThrow(ProviderFailure);
  expect(fastestMs(flattened, 3, 300)).toBeLessThan(300);
});
