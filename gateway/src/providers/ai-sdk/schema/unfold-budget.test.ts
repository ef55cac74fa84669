import { expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import { ProviderFailure } from "../../../contract/index.ts";
import { encodeRequest } from "../encode/encode-request.ts";
import { QUIRKS } from "../testing.ts";
import { flattenParameters } from "./flat-parameters.ts";
import { cleanParameters } from "./schema.ts";

const FLAT = { ...QUIRKS, needsFlatParameters: true };
const KEYWORDS = new Set(["$defs", "$ref", "anyOf", "properties", "required", "type"]);
const FEW_KEYWORDS = { ...QUIRKS, schemaKeywords: KEYWORDS };

const times = <Item>(count: number, make: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at));
const members = (count: number) => Object.fromEntries(times(count, (at) => [`p${at}`, {}]));
const LARGE = { type: "object", properties: members(300) };

function sendTools(parameters: object, count: number, quirks = QUIRKS) {
  const tools = times(count, (at) => ({ name: `t${at}`, parameters: { ...parameters } }));
  const messages = [{ role: "user", content: [{ type: "text", text: "hi" }] }] as const;
  return encodeRequest("m", { messages, tools, maxOutputTokens: 16 }, quirks);
}

/** Definitions, each of which is all of the next. */
const chain = (length: number, end: object) => ({
  ...Object.fromEntries(times(length, (at) => [`L${at}`, { allOf: [{ $ref: `#/$defs/L${at + 1}` }] }])),
  [`L${length}`]: end,
});

test.each([
  ["anyOf", { anyOf: times(40, () => ({ $ref: "#/$defs/D" })), $defs: { D: LARGE } }, FLAT],
  [
    "allOf",
    {
      properties: Object.fromEntries(
        times(60, (at) => [`a${at}`, { allOf: [{ $ref: "#/$defs/D" }, { type: "object" }] }]),
      ),
      $defs: { D: LARGE },
    },
    FEW_KEYWORDS,
  ],
] as const)(
  "100 tools that each expand as far as one may are refused within a second: %s",
  (_, parameters, quirks) => {
    expect(() => sendTools(parameters, 1, quirks)).not.toThrow();
    const refused = () => expect(() => sendTools(parameters, 100, quirks)).toThrow(ProviderFailure);
    expect(fastestMs(refused, 5, 1_000)).toBeLessThan(1_000);
  },
);

test("1,024 tools that are each a $ref to a definition are accepted", () => {
  const Args = {
    type: "object",
    properties: Object.fromEntries(
      times(10, (at) => [`p${at}`, { type: "string", description: "What it is" }]),
    ),
  };
  const parameters = { $ref: "#/definitions/Args", definitions: { Args } };
  expect(sendTools(parameters, 1_024, FLAT).tools).toHaveLength(1_024);
  expect(sendTools(parameters, 1_024, FEW_KEYWORDS).tools).toHaveLength(1_024);
});

const ADDRESS = {
  type: "object",
  required: ["line1"],
  properties: {
    line1: { type: "string", description: "Street and number" },
    city: { type: "string" },
    country: { type: "string", description: "ISO code of two letters" },
  },
};
/** An optional reference as OpenAPI generators write it. */
const optional = { type: "object", nullable: true, allOf: [{ $ref: "#/definitions/Address" }] };
const manyOptional = {
  type: "object",
  properties: Object.fromEntries(times(10, (at) => [`p${at}`, optional])),
  definitions: { Address: ADDRESS },
};
/** A union of actions at the top level, as zod and pydantic write it. */
const union = {
  anyOf: times(12, (at) => ({ $ref: `#/$defs/Action${at}` })),
  $defs: Object.fromEntries(times(12, (at) => [`Action${at}`, ADDRESS])),
};

test.each([
  [64, "optional references", manyOptional, FEW_KEYWORDS],
  [64, "unions", union, FLAT],
] as const)("%i tools with %s are accepted", (count, _, parameters, quirks) => {
  expect(sendTools(parameters, count, quirks).tools).toHaveLength(count);
});

test.each([
  ["properties", { properties: members(20_000), allOf: [{ $ref: "#/$defs/L0" }], $defs: chain(200, {}) }],
  [
    "required names",
    { allOf: [{ $ref: "#/$defs/L0" }], $defs: chain(800, { required: times(20_000, String) }) },
  ],
  [
    "keywords",
    { ...members(20_000), type: "object", allOf: [{ $ref: "#/$defs/L0" }], $defs: chain(200, {}) },
  ],
])("20,000 %s along a chain of definitions are refused within 150 ms", (_, schema) => {
  const refused = () => {
    expect(() => cleanParameters(schema, KEYWORDS)).toThrow(ProviderFailure);
  };
  expect(fastestMs(refused, 5, 150)).toBeLessThan(150);
});

test("required names up a chain, and keywords beside a chain of references, are refused within 150 ms", () => {
  const demands = { anyOf: [{ $ref: "#/$defs/L0" }], $defs: chain(800, { required: times(20_000, String) }) };
  const names = Object.fromEntries(times(800, (at) => [`L${at}`, { $ref: `#/$defs/L${at + 1}` }]));
  const beside = { ...members(20_000), $ref: "#/$defs/L0", $defs: { ...names, L800: {} } };
  for (const schema of [demands, beside]) {
    const refused = () => expect(() => flattenParameters(schema)).toThrow(ProviderFailure);
    expect(fastestMs(refused, 5, 150)).toBeLessThan(150);
  }
});
