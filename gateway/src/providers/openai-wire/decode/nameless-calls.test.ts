import { describe, expect, test } from "bun:test";
import { decodeChunks, decodeWhole, delta, STOP, wholeOf, wireChunks } from "../testing.ts";

const NAMELESS: readonly [string, object][] = [
  ["an empty function_call", { function_call: {} }],
  ["a function_call with empty fields", { function_call: { name: "", arguments: "" } }],
  ["a tool call with empty arguments", { tool_calls: [{ index: 0, function: { arguments: "" } }] }],
  [
    "a tool call with empty fields",
    { tool_calls: [{ index: 0, id: "", type: "", function: { name: "", arguments: "" } }] },
  ],
  [
    "a tool call with an id",
    { tool_calls: [{ index: 0, id: "c0", type: "function", function: { arguments: "" } }] },
  ],
];
const TEXT = [
  { type: "text", text: "so" },
  { type: "finish", reason: "stop", usage: null },
];
const whole = (message: object) => ({ choices: [{ index: 0, message, finish_reason: "stop" }] });

describe.each([false, true])("a call with neither name nor arguments, legacy form %p", (isFirstForm) => {
  const form = { isFirstForm };

  test.each(NAMELESS)("is ignored beside text: %s", (_, fields) => {
    const chunks = [delta({ content: "so", ...fields }), delta(fields as never), STOP];
    expect(decodeChunks(chunks)).toEqual(TEXT as never);
    expect(decodeWhole(whole({ content: "so", ...fields }))).toEqual(TEXT as never);
    const { wire, finish, chunks: told } = wireChunks(chunks, { form });
    expect(wire.map(({ written }) => written).join("")).toBe("so");
    expect(JSON.stringify(told)).not.toContain("call");
    expect(finish).toMatchObject({ reason: "stop" });
    const { choices } = wholeOf(whole({ content: "so", ...fields }), { form });
    expect(choices).toEqual([
      {
        index: 0,
        message: { role: "assistant", content: "so", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ]);
  });
});

test.each(NAMELESS)(
  "a call with neither name nor arguments does not displace a named one: %s",
  (_, fields) => {
    const call = { index: 0, id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
    const events = decodeChunks([delta({ ...fields }), delta({ tool_calls: [call] }), STOP]);
    expect(events).toMatchObject([
      { type: "tool_start", call: 0, name: "look" },
      { type: "tool_arguments", call: 0, text: '{"at":1}' },
      { type: "finish", reason: "tool_calls" },
    ]);
  },
);

test("a call with neither name nor arguments is dropped from a whole reply that has another", () => {
  const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
  const calls = [{ id: "c0", type: "function", function: { name: "", arguments: "" } }, call];
  expect(wholeOf(whole({ content: null, tool_calls: calls }))["choices"]).toMatchObject([
    { message: { tool_calls: [call] }, finish_reason: "tool_calls" },
  ]);
});
