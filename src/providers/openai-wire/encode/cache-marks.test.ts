import { expect, test } from "bun:test";
import { withShortMarks } from "./cache-marks.ts";

const HOUR = { type: "ephemeral", ttl: "1h" };
const SHORT = { type: "ephemeral" };

test("marks of a cache ask for no longer time than the one that is priced, wherever they stand", () => {
  const body = (mark: object) => ({
    model: "m",
    cache_control: mark,
    messages: [
      { role: "system", content: "a", cache_control: mark },
      { role: "user", content: [{ type: "text", text: "b", cache_control: mark }, "plain"] },
      { role: "tool", content: [{ type: "tool_result", content: [{ type: "text", cache_control: mark }] }] },
      null,
    ],
    input: [
      { role: "user", content: [{ type: "input_text", text: "b", cache_control: mark }] },
      { type: "function_call_output", output: [{ type: "input_text", text: "c", cache_control: mark }] },
    ],
    tools: [
      { type: "function", function: { name: "f", cache_control: mark }, cache_control: mark },
      { type: "namespace", tools: [{ type: "function", name: "g", cache_control: mark }] },
    ],
  });
  expect(withShortMarks(body(HOUR))).toEqual(body(SHORT));
});

test("a body that asks for no more is the same object, and a tool's own parameters are nobody's marks", () => {
  const parameters = { type: "object", properties: { cache_control: HOUR } };
  const body = {
    cache_control: SHORT,
    messages: [{ role: "user", content: [{ type: "text", text: "a", cache_control: SHORT }] }],
    tools: [{ type: "function", function: { name: "f", parameters } }],
  };
  expect(withShortMarks(body)).toBe(body);
});
