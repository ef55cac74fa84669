import { describe, expect, test } from "bun:test";
import type { Tool } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { mistral, openai, together } = WIRE_VENDORS;
const NONE = { type: "object", properties: {} };
const SOME = { type: "object", properties: { zone: { type: "string" } } };

describe("a vendor that requires the parameters of every function", () => {
  const toolFor = (tool: Tool, vendor: WireVendor) =>
    (bodyFor({ tools: [tool] }, { vendor })["tools"] as unknown[])[0];

  test("gets an empty object for a function without parameters", () => {
    const now = { name: "now" };
    expect(toolFor(now, mistral)).toEqual({ type: "function", function: { ...now, parameters: NONE } });
    expect(toolFor(now, openai)).toEqual({ type: "function", function: now });
    const asked = { name: "now", parameters: SOME };
    expect(toolFor(asked, mistral)).toEqual({ type: "function", function: asked });
  });

  test("gets it in passed-through tools too, and no description that is null", () => {
    const tools = [
      { type: "function", function: { name: "now", description: "The time" } },
      { type: "function", function: { name: "then", description: null, parameters: null } },
      { type: "function", function: { name: "there", parameters: SOME, strict: true } },
    ];
    for (const vendor of [mistral, { ...mistral, schemaDrops: [] }]) {
      expect(wireBodyFor({ tools }, { vendor })["tools"]).toEqual([
        { type: "function", function: { name: "now", description: "The time", parameters: NONE } },
        { type: "function", function: { name: "then", parameters: NONE } },
        tools[2],
      ]);
    }
    for (const vendor of [openai, together]) {
      expect(wireBodyFor({ tools }, { vendor })["tools"]).toEqual(tools);
    }
  });
});
