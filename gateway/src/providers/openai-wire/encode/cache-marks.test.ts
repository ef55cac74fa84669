import { expect, test } from "bun:test";
import { writtenBody } from "../written-body.ts";
import { withMarksAt, withShortMarks } from "./cache-marks.ts";

const HOUR = { type: "ephemeral", ttl: "1h" };
const SHORT = { type: "ephemeral" };

test("cache marks are shortened to the priced duration, wherever they are in the body", () => {
  const body = (mark: object) => ({
    model: "m",
    cache_control: mark,
    messages: [
      { role: "system", content: "a", cache_control: mark },
      { role: "user", content: [{ type: "text", text: "b", cache_control: mark }, "plain"] },
      { role: "assistant", content: "d", thinking_blocks: [{ type: "thinking", cache_control: mark }] },
      {
        role: "assistant",
        reasoning_details: [{ type: "reasoning.text", cache_control: mark }],
        tool_calls: [{ id: "c", cache_control: mark, function: { name: "f", cache_control: mark } }],
      },
      { role: "assistant", function_call: { name: "f", arguments: "{}", cache_control: mark } },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:,", cache_control: mark } }] },
      { role: "tool", content: [{ type: "tool_result", content: [{ type: "text", cache_control: mark }] }] },
      null,
    ],
    system: [{ type: "text", text: "e", cache_control: mark }],
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

test("provider options inside messages, parts and tools are removed", () => {
  const options = { anthropic: { cacheControl: HOUR } };
  const body = (said: object) => ({
    messages: [{ role: "user", content: [{ type: "text", text: "a", ...said }], ...said }],
    tools: [{ type: "function", function: { name: "f" }, ...said }],
  });
  for (const said of [{ providerOptions: options }, { provider_options: options }]) {
    expect(withShortMarks(body(said))).toEqual(body({}));
    expect(JSON.parse(writtenBody(body(said), {}).join(""))).toEqual(body({}));
  }
});

test("a body without long cache marks is returned as is; parameters of a tool are not cache marks", () => {
  const parameters = { type: "object", properties: { cache_control: HOUR } };
  const body = {
    cache_control: SHORT,
    messages: [{ role: "user", content: [{ type: "text", text: "a", cache_control: SHORT }] }],
    tools: [{ type: "function", function: { name: "f", parameters } }],
  };
  expect(withShortMarks(body)).toBe(body);
});

test("our marks are set on the last part of a message, and on nothing that is the model's own or has no text", () => {
  const messages = [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
    { role: "assistant", content: null, tool_calls: [{ id: "c" }] },
    { role: "tool", tool_call_id: "c", content: "seen" },
  ];
  const body = { model: "m", messages };
  const part = (text: string) => ({ type: "text", text, cache_control: SHORT });
  expect(withMarksAt(body, ["beginning", "last turn", "end"])).toEqual({
    model: "m",
    messages: [
      { role: "system", content: [part("Be brief.")] },
      { role: "user", content: [{ type: "text", text: "a" }, part("b")] },
      { role: "assistant", content: null, tool_calls: [{ id: "c" }] },
      { role: "tool", tool_call_id: "c", content: [part("seen")] },
    ],
  } as never);
  expect(withMarksAt(body, [])).toBe(body);
  const draft = {
    model: "m",
    messages: [
      { role: "user", content: "" },
      { role: "assistant", content: "Well" },
    ],
  };
  expect(withMarksAt(draft, ["last turn", "end"])).toEqual(draft);
  const response = { model: "m", input: "a" };
  expect(withMarksAt(response, ["end"])).toBe(response);
});
