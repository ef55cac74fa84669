import { expect, test } from "bun:test";
import type { ToolChoice } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { deepseek, moonshot, alibaba, openrouter } = WIRE_VENDORS;
const OFF = { thinking: { type: "disabled" } };

/** What is sent for a call with an effort, if the client speaks responses and if chat completions. */
function sent(toolChoice: ToolChoice, target: { readonly vendor: WireVendor; readonly model: string }) {
  const parameters = { type: "object", properties: {} };
  const request = { tools: [{ name: "look", parameters }], toolChoice, reasoningEffort: "high" };
  const body = {
    tools: [{ type: "function", function: { name: "look", parameters } }],
    tool_choice:
      typeof toolChoice === "string" ? toolChoice : { type: "function", function: { name: toolChoice.name } },
    reasoning_effort: "high",
  };
  return [bodyFor(request, target), wireBodyFor(body, { ...target, request })];
}

test.each([
  ["deepseek-v4-flash", deepseek, OFF],
  ["kimi-k2.6", moonshot, OFF],
  ["qwen3.8-max", alibaba, { enable_thinking: false }],
] as const)(
  "%s does not reason before a call that it is forced to make, which it would refuse",
  (model, vendor, off) => {
    for (const choice of ["required", { name: "look" }] as const) {
      for (const body of sent(choice, { vendor, model })) {
        expect(body).toMatchObject(off);
        expect(body["tool_choice"]).toBeDefined();
        expect(body).not.toHaveProperty("reasoning_effort");
      }
    }
    for (const body of sent("auto", { vendor, model })) {
      expect(body).toMatchObject({ reasoning_effort: "high", tool_choice: "auto" });
      for (const field of Object.keys(off)) expect(body).not.toHaveProperty(field);
    }
  },
);

test.each([
  ["deepseek-reasoner", deepseek],
  ["kimi-k3", moonshot],
  ["qwen3.5-plus-thinking", alibaba],
  ["deepseek/deepseek-v4-flash", openrouter],
] as const)("%s gets what the client says: it takes forced calls, or always reasons", (model, vendor) => {
  for (const body of sent("required", { vendor, model })) {
    expect(body["tool_choice"]).toBe("required");
    for (const field of ["thinking", "enable_thinking"]) expect(body).not.toHaveProperty(field);
  }
});
