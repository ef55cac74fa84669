import { describe, expect, test } from "bun:test";
import { decodeReply } from "../decode/decode-reply.ts";
import { wholeReading, wireReading } from "../reading.ts";
import { expecting, streamed, wholeOf } from "../testing.ts";

const reply = (message: object, more: object = {}, top: object = {}) => ({
  id: "x",
  object: "chat.completion",
  created: 5,
  model: "m",
  choices: [{ index: 0, message, finish_reason: "stop", ...more }],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
  ...top,
});

type Choice = { message: Record<string, unknown>; finish_reason: string; logprobs: unknown };
const choiceOf = (...given: Parameters<typeof wholeOf>) => (wholeOf(...given)["choices"] as Choice[])[0];
const messageOf = (message: object) => choiceOf(reply(message))?.message;

describe("a passed-through whole reply", () => {
  test("has every field that clients expect, and none that we set ourselves", () => {
    expect(wholeOf(reply({ content: "Hi" }))).toEqual({
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hi", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
    });
  });

  test("keeps unknown fields", () => {
    const given = reply(
      { role: "assistant", content: "Hi", annotations: [{ type: "url_citation" }] },
      { content_filter_results: { hate: {} } },
      { system_fingerprint: "fp", citations: ["c"] },
    );
    expect(wholeOf(given)).toMatchObject({
      system_fingerprint: "fp",
      citations: ["c"],
      choices: [
        { message: { annotations: [{ type: "url_citation" }] }, content_filter_results: { hate: {} } },
      ],
    });
  });

  test("has content parts joined, and reasoning also as reasoning_content", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "a" },
    ];
    expect(messageOf({ content: parts })).toMatchObject({ content: "a", reasoning_content: "hm" });
    expect(messageOf({ content: "a", reasoning: "hm" })).toMatchObject({
      reasoning: "hm",
      reasoning_content: "hm",
    });
  });

  test("has calls with id, type and arguments, and ends with tool_calls", () => {
    const calls = [{ function: { name: "f" } }, { id: "b", function: { name: "g", arguments: { x: 1 } } }];
    const choice = choiceOf(reply({ content: "", tool_calls: calls }));
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message["tool_calls"]).toEqual([
      { id: expect.stringMatching(/^call_/), type: "function", function: { name: "f", arguments: "{}" } },
      { id: "b", type: "function", function: { name: "g", arguments: '{"x":1}' } },
    ]);
  });

  test.each<[unknown]>([[null], [[]]])("has no tool_calls if the list is empty: %j", (calls) => {
    const choice = choiceOf(reply({ content: "Hi", tool_calls: calls }, { finish_reason: "tool_calls" }));
    expect(choice?.message).not.toHaveProperty("tool_calls");
    expect(choice?.finish_reason).toBe("stop");
  });

  test("keeps custom tool calls, and has a function_call if the request used legacy functions", () => {
    const custom = { id: "a", type: "custom", custom: { name: "patch", input: "*** x" } };
    expect(messageOf({ content: null, tool_calls: [custom] })?.["tool_calls"]).toEqual([custom]);
    const first = reply({ content: null, function_call: { name: "f", arguments: "{}" } });
    expect(choiceOf(first, { form: { isFirstForm: true } })).toMatchObject({
      message: { function_call: { name: "f", arguments: "{}" } },
      finish_reason: "function_call",
    });
    expect(choiceOf(first)).toMatchObject({ message: { tool_calls: [{}] }, finish_reason: "tool_calls" });
    const work = { name: "f", arguments: "{}" };
    const after = reply({ content: null, tool_calls: [{ id: "a", type: "function", function: work }] });
    const turned = choiceOf(after, { form: { isFirstForm: true } });
    expect(turned).toMatchObject({ message: { function_call: work }, finish_reason: "function_call" });
    expect(turned?.message).not.toHaveProperty("tool_calls");
  });

  test("has signatures sealed into call ids", () => {
    const call = {
      id: "a",
      function: { name: "f", arguments: "{}" },
      extra_content: { google: { thought_signature: "s" } },
    };
    const sealCallId = (id: string, signature?: string) => `${id}+${signature}`;
    expect(choiceOf(reply({ tool_calls: [call] }), { form: { sealCallId } })?.message["tool_calls"]).toEqual([
      { id: "a+acme/s", type: "function", function: { name: "f", arguments: "{}" } },
    ]);
  });

  test("has the requested choices that came, in order, and no others; the first is required", () => {
    const choices = [2, 1, 0].map((index) => ({
      index,
      message: { content: `${index}` },
      finish_reason: "length",
    }));
    const whole = wholeOf({ choices }, { n: 2 });
    expect((whole["choices"] as { index: number }[]).map(({ index }) => index)).toEqual([0, 1]);
    expect(wholeOf({ choices: choices.slice(2) }, { n: 2 })["choices"]).toHaveLength(1);
    // The second choice without the first.
    expect(() => wholeOf({ choices: choices.slice(1, 2) }, { n: 2 })).toThrow("unavailable");
  });

  test.each([
    ["an error", { error: { message: "no", type: "invalid_request_error" } }, "rejected"],
    ["an empty list of choices", { choices: [] }, "broke off"],
    ["an unrelated object", { status: "ok" }, "broke off"],
    ["without a finish reason", { choices: [{ index: 0, message: { content: "a" } }] }, "broke off"],
  ])("that is %s fails", (_, given, said) => {
    expect(() => wholeOf(given)).toThrow(said);
  });
});

describe("a server that ignores the requested mode", () => {
  const form = { isFirstForm: false };

  test("and replies in one piece: the reply is passed on as chunks", () => {
    const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
    const text = JSON.stringify(reply({ content: "Hi", tool_calls: [call] }));
    const events = decodeReply(text, wireReading(expecting(), form));
    expect(events.map(({ type }) => type)).toEqual(["wire", "wire", "wire", "wire", "finish"]);
    expect(events.at(-2)).toMatchObject({ isClosing: true });
  });

  test("and streams: the stream is passed on as chunks", () => {
    const chunk = { choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] };
    expect(streamed(wholeReading(expecting(), form), [chunk]).wire).toHaveLength(2);
  });
});
