import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeWhole, wholeOf } from "../../providers/openai-wire/testing.ts";
import { writtenInWhole } from "./written-in-whole.ts";

const call = { name: fc.constantFrom("f", "look_up"), arguments: fc.constantFrom("{}", '{"a":1}') };
const message = fc.record(
  {
    content: fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.record({ thinking: fc.string(), text: fc.string() }).map(({ thinking, text }) => [
        { type: "thinking", thinking },
        { type: "text", text },
      ]),
    ),
    refusal: fc.option(fc.string()),
    tool_calls: fc.array(fc.record({ function: fc.record(call) })),
  },
  { requiredKeys: ["content"] },
);
const thoughtful = fc
  .record({ content: fc.string(), reasoning: fc.string() })
  .map(({ content, reasoning }) => ({ content, reasoning, reasoning_details: [{ text: reasoning }] }));

describe("the text of the model in a whole reply", () => {
  test("of chat completions equals the text in its neutral events", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(message, thoughtful), { minLength: 1, maxLength: 3 }), (messages) => {
        const n = messages.length;
        const choices = messages.map((each, index) => ({ index, message: each, finish_reason: "stop" }));
        const neutral = decodeWhole({ choices }, { n }).map((event) =>
          "text" in event ? event.text : event.type === "tool_start" ? event.name : "",
        );
        expect(writtenInWhole(wholeOf({ choices }, { n }))).toBe(neutral.join(""));
      }),
    );
  });

  test.each([
    [
      "custom tools",
      { tool_calls: [{ id: "a", type: "custom", custom: { name: "patch", input: "*** x" } }] },
    ],
    ["the legacy function_call form", { function_call: { name: "patch", arguments: "*** x" } }],
  ])("of chat completions includes calls of %s", (_, fields) => {
    const reply = { choices: [{ index: 0, message: fields, finish_reason: "stop" }] };
    expect(writtenInWhole(wholeOf(reply, { form: { isFirstForm: true } }))).toBe("patch*** x");
  });

  test.each([
    ["reasoning", { content: "a", thinking: "hm" }, "hma"],
    [
      "blocks of reasoning",
      { content: "a", thinking_blocks: [{ thinking: "hm", signature: "s" }, 5] },
      "hma",
    ],
    ["reasoning sent twice", { content: "a", reasoning_content: "hm", thinking: "hm" }, "hma"],
    ["an audio transcript", { content: null, audio: { id: "x", data: "aGk=", transcript: "hi" } }, "hi"],
  ])("of chat completions includes %s in fields of single vendors", (_, message, written) => {
    const reply = { choices: [{ index: 0, message, finish_reason: "stop" }] };
    expect(writtenInWhole(wholeOf(reply))).toBe(written);
  });

  test.each([
    ["text", { content: [{ type: "output_text", text: "a" }, { text: "b" }] }, "ab"],
    ["text without parts", { content: "a" }, "a"],
    ["a refusal", { content: [{ type: "refusal", refusal: "no" }] }, "no"],
    ["reasoning", { summary: [{ text: "s" }], content: [{ text: "c" }], encrypted_content: "xxxx" }, "sc"],
    ["a function call", { id: "x", call_id: "y", name: "f", arguments: "{}" }, "f{}"],
    ["a custom tool call", { name: "f", input: "*** x" }, "f*** x"],
    ["a shell call", { action: { commands: ["ls"] } }, '{"commands":["ls"]}'],
    [
      "a web search: its queries, not its results",
      {
        type: "web_search_call",
        action: { type: "search", query: "a", queries: ["a", "b"], sources: [{ url: "https://x.test" }] },
      },
      "ab",
    ],
    [
      "the URL of an opened page",
      { type: "web_search_call", action: { url: "https://x.test" } },
      "https://x.test",
    ],
    [
      "the code of a code interpreter",
      { type: "code_interpreter_call", code: "print(1)", outputs: [{ logs: "1" }] },
      "print(1)",
    ],
    ["a patch", { operation: { diff: "+a" } }, '{"diff":"+a"}'],
    ["a tool's output: only the name", { name: "f", output: "a tool's words", result: "aGk=" }, "f"],
  ])("of a response includes from its items: %s", (_, item, written) => {
    expect(writtenInWhole({ output: [item, item] })).toBe(written + written);
  });

  test("is empty if nothing in the reply is readable", () => {
    const scalars = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.boolean());
    const lists = fc.oneof(scalars, fc.array(fc.oneof(scalars, fc.record({ message: scalars }))));
    fc.assert(
      fc.property(lists, lists, (choices, output) => {
        expect(writtenInWhole({ choices, output })).toBe("");
      }),
    );
  });
});
