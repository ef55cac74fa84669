import { expect, test } from "bun:test";
import { decodeChunks, decodeWhole, delta, wholeOf, wireDeltas } from "../testing.ts";

const END = delta({ content: "" }, { finish_reason: "eos_token" });
const TOLD = [
  { type: "tool_start", call: 0, id: "c1", name: "look" },
  { type: "tool_arguments", call: 0, text: '{"at":1}' },
  { type: "finish", reason: "tool_calls", usage: null },
];
const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
const whole = (message: object, finishReason = "tool_calls") => ({
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }],
});

test("tool_calls that is one call instead of a list is read as a list of that call", () => {
  const pieces = [
    delta({ tool_calls: { index: 0, id: "c1", function: { name: "look", arguments: "" } } }),
    delta({ tool_calls: { index: 0, id: "", function: { name: null, arguments: '{"at":1}' } } }),
    END,
  ];
  expect(decodeChunks(pieces)).toEqual(TOLD as never);
  expect(wireDeltas(pieces)).toMatchObject([
    { role: "assistant" },
    { tool_calls: [{ index: 0, id: "c1", function: { name: "look" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"at":1}' } }] },
    {},
  ]);
  const reply = whole({
    content: null,
    tool_calls: { ...call, function: { name: "look", arguments: { at: 1 } } },
  });
  expect(decodeWhole(reply)).toEqual(TOLD as never);
  expect(wholeOf(reply)).toMatchObject(whole({ tool_calls: [call] }));
});

test("function_call is read if tool_calls is an empty list", () => {
  const message = { content: null, tool_calls: [], function_call: call.function };
  expect(decodeWhole(whole(message)).slice(1)).toEqual(TOLD.slice(1) as never);
  expect(decodeChunks([delta(message), END]).slice(1)).toEqual(TOLD.slice(1) as never);
  expect(wholeOf(whole(message))).toMatchObject(whole({ tool_calls: [{ function: call.function }] }));
});

test("tool_calls that is neither a list nor a call is ignored", () => {
  const message = { content: "so", tool_calls: { note: "none" } };
  expect(decodeWhole(whole(message, "stop"))).toEqual([
    { type: "text", text: "so" },
    { type: "finish", reason: "stop", usage: null },
  ]);
});
