import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeChat } from "../chat/chat-decode.ts";
import { callSeal } from "../chat/chat-testing.ts";
import { checkNothingForgotten, junk, loosely, words } from "./unseen-testing.ts";

const LONG = "y".repeat(30_000);
const user = { role: "user", content: "hi" };
const promptOf = (body: unknown) => decodeChat(body, { maxMessages: 100, callSeal }).prompt;
const unseenIn = (body: object) => promptOf({ model: "m", messages: [user], ...body }).unseenTokens ?? 0;
const unseenInMessage = (message: object) => unseenIn({ messages: [message] });

test("rare characters are held for by their bytes, in values and in names", () => {
  const rare = "\u0259\u0283\u0292\u028a".repeat(5_000);
  const bytes = Buffer.byteLength(rare) - 1_200;
  expect(unseenIn({ documents: [rare] }) * 1.2).toBeGreaterThanOrEqual(bytes);
  expect(unseenIn({ [rare]: 1 }) * 1.2).toBeGreaterThanOrEqual(bytes);
  expect(unseenIn({ documents: [{ [rare]: 1 }] }) * 1.2).toBeGreaterThanOrEqual(bytes);
});

describe("fields of ordinary requests are not held for twice", () => {
  test.each<[string, object]>([
    ["a long text", { messages: [{ role: "user", content: LONG }] }],
    ["parts", { messages: [{ role: "user", content: [{ type: "text", text: LONG }] }] }],
    [
      "an image",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: `data:,${LONG}` } }] }] },
    ],
    ["a file", { messages: [{ role: "user", content: [{ type: "file", file: { file_data: LONG } }] }] }],
    [
      "audio, of which only the transcript is sent",
      { messages: [{ role: "assistant", content: null, audio: { id: "a", data: LONG, transcript: LONG } }] },
    ],
    [
      "calls and their results",
      {
        messages: [
          {
            role: "assistant",
            content: null,
            reasoning_content: LONG,
            tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: LONG } }],
          },
          { role: "tool", tool_call_id: "call_1", content: LONG },
        ],
      },
    ],
    [
      "tools and a schema",
      {
        tools: [{ type: "function", function: { name: "f", description: LONG, parameters: { a: LONG } } }],
        response_format: { type: "json_schema", json_schema: { name: "s", schema: { a: LONG } } },
      },
    ],
    [
      "a schema beside json_object",
      { response_format: { type: "json_object", schema: { type: "object", description: LONG } } },
    ],
    [
      "a schema as the value of json_object",
      { response_format: { type: "json_object", value: { type: "object", description: LONG } } },
    ],
    ["the older functions field", { functions: [{ name: "f", description: LONG, parameters: {} }] }],
    [
      "a custom tool with its grammar",
      {
        tools: [
          {
            type: "custom",
            custom: { name: "p", format: { type: "grammar", grammar: { definition: LONG } } },
          },
        ],
      },
    ],
    [
      "sampling, identifiers and metadata",
      {
        stream: true,
        temperature: 0.5,
        user: "u".repeat(64),
        prompt_cache_key: "k".repeat(64),
        metadata: { session: "s".repeat(200) },
        logit_bias: { 50256: -100 },
      },
    ],
  ])("%s", (_, body) => {
    expect(unseenIn(body)).toBe(0);
  });

  test("for a sealed signature, the hold covers what it hides and not the seal", () => {
    const id = callSeal.seal("call_1", "s".repeat(4_000), [{ text: "hm", signature: "t".repeat(400) }]);
    const turn = {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
    };
    expect(unseenIn({ messages: [turn, { role: "tool", tool_call_id: id, content: "" }] })).toBe(1_100);
  });
});

describe("what an upstream reads and the estimate does not cover is held for", () => {
  test.each<[string, object]>([
    ["an unknown field", { documents: [{ title: "t", text: LONG }] }],
    ["many field names", Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field_${at}`, 1]))],
    ["numbers", { documents: Array(15_000).fill(123_456) }],
    [
      "tools that tool_choice leaves out",
      {
        tools: [
          { type: "function", function: { name: "f", description: LONG } },
          { type: "function", function: { name: "g" } },
        ],
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "g" } }] },
        },
      },
    ],
    [
      "functions beside tools",
      {
        tools: [{ type: "function", function: { name: "f" } }],
        functions: [{ name: "g", description: LONG }],
      },
    ],
    ["a tool of an unknown type", { tools: [{ type: "retrieval", text: LONG }] }],
    ["an unknown format", { response_format: { type: "grammar", grammar: LONG } }],
    [
      "a schema's description",
      { response_format: { type: "json_schema", json_schema: { name: "s", description: LONG, schema: {} } } },
    ],
  ])("%s", (_, body) => {
    expect(unseenIn(body)).toBeGreaterThan(9_000);
  });

  test.each<[string, object]>([
    ["a field of a message", { ...user, images: [LONG] }],
    ["a part of an unknown type", { role: "user", content: [{ type: "document", text: LONG }] }],
    ["a field of a part", { role: "user", content: [{ type: "text", text: "hi", context: LONG }] }],
    [
      "thinking in parts",
      { role: "assistant", content: [{ type: "thinking", thinking: [{ type: "text", text: LONG }] }] },
    ],
    [
      "thinking in reasoning_details",
      { role: "assistant", content: "x", reasoning_details: [{ type: "reasoning.encrypted", data: LONG }] },
    ],
    [
      "thinking under a second name",
      { role: "assistant", content: "x", reasoning_content: "a", reasoning: LONG },
    ],
    ["a refusal beside a text", { role: "assistant", content: "x", refusal: LONG }],
    [
      "function_call beside tool_calls",
      { role: "assistant", content: "x", tool_calls: [], function_call: { name: "f", arguments: LONG } },
    ],
  ])("%s", (_, message) => {
    expect(unseenInMessage(message)).toBeGreaterThan(9_000);
  });

  test("multi-byte text, by its bytes", () => {
    expect(unseenIn({ documents: "漢".repeat(10_000) })).toBeGreaterThan(9_500);
  });

  test("reasoning that differs from the sealed reasoning beside it", () => {
    const id = callSeal.seal("call_1", undefined, [{ text: "hm", signature: "t" }]);
    const calls = [{ id, type: "function", function: { name: "f", arguments: "{}" } }];
    const turn = { role: "assistant", content: null, tool_calls: calls };
    expect(unseenInMessage({ ...turn, reasoning_content: LONG })).toBeGreaterThan(9_000);
    expect(unseenInMessage({ ...turn, reasoning_content: "hm" })).toBeLessThan(10);
  });
});

const part = fc.oneof(
  words,
  loosely({ type: fc.constant("text"), text: words }, ["type", "text"]),
  loosely({ type: fc.constant("refusal"), refusal: words }, ["type", "refusal"]),
  loosely(
    {
      type: fc.constant("image_url"),
      image_url: fc.oneof(words, loosely({ url: words, detail: words }, ["url"])),
    },
    ["type", "image_url"],
  ),
  loosely(
    {
      type: fc.constant("input_audio"),
      input_audio: loosely({ data: words, format: words }, ["data", "format"]),
    },
    ["type", "input_audio"],
  ),
  loosely({ type: fc.constant("file"), file: loosely({ file_data: words, filename: words }) }, [
    "type",
    "file",
  ]),
  loosely({ type: fc.constantFrom("thinking", "reasoning", "video_url"), text: words, thinking: junk }, [
    "type",
  ]),
);
const content = fc.oneof(words, fc.array(part, { maxLength: 3 }));
const made = loosely(
  { name: words, arguments: fc.oneof(words, fc.dictionary(words, words, { maxKeys: 2 })) },
  ["name"],
);
const call = loosely(
  {
    id: fc.string({ minLength: 1, maxLength: 12 }),
    type: fc.constantFrom("function", "custom"),
    function: made,
    custom: loosely({ name: words, input: words }, ["name"]),
  },
  ["id", "function"],
);
const message = fc.oneof(
  loosely({ role: fc.constantFrom("user", "system", "developer"), content }, ["role", "content"]),
  loosely(
    {
      role: fc.constant("assistant"),
      content: fc.oneof(words, fc.constant(null), fc.array(part, { maxLength: 2 })),
      refusal: words,
      reasoning_content: words,
      reasoning: words,
      reasoning_details: junk,
      tool_calls: fc.array(call, { maxLength: 2 }),
      function_call: made,
    },
    ["role"],
  ),
  loosely(
    {
      role: fc.constantFrom("tool", "function"),
      content,
      tool_call_id: fc.string({ minLength: 1, maxLength: 12 }),
    },
    ["role", "tool_call_id"],
  ),
);
const offered = fc.constantFrom("f", "g");
const functionTool = loosely(
  { name: offered, description: words, parameters: fc.dictionary(words, junk, { maxKeys: 2 }) },
  ["name"],
);
const tool = fc.oneof(
  loosely({ type: fc.constant("function"), function: functionTool }, ["function"]),
  loosely(
    {
      type: fc.constant("custom"),
      custom: loosely(
        {
          name: offered,
          description: words,
          format: loosely({ type: words, grammar: loosely({ syntax: words, definition: words }) }),
        },
        ["name"],
      ),
    },
    ["type", "custom"],
  ),
  loosely({ type: fc.constant("hosted"), hosted: junk }, ["type"]),
);
const body = loosely(
  {
    model: fc.constant("m"),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    tools: fc.array(tool, { maxLength: 3 }),
    functions: fc.array(functionTool, { maxLength: 2 }),
    tool_choice: fc.constantFrom("auto", {
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "g" } }] },
    }),
    response_format: fc.oneof(
      loosely({ type: fc.constantFrom("text", "json_object", "grammar"), grammar: words }, ["type"]),
      loosely({ type: fc.constant("json_object"), schema: fc.dictionary(words, junk, { maxKeys: 2 }) }, [
        "type",
      ]),
      loosely(
        {
          type: fc.constant("json_schema"),
          json_schema: loosely({
            name: words,
            description: words,
            schema: fc.dictionary(words, junk, { maxKeys: 2 }),
          }),
        },
        ["type", "json_schema"],
      ),
    ),
    stop: fc.oneof(words, fc.array(words, { maxLength: 3 })),
    user: words,
  },
  ["model", "messages"],
);

test("every generated body is refused as invalid, or all of its text is in the estimate or held for", () => {
  expect(checkNothingForgotten(body, promptOf).accepted).toBeGreaterThan(200);
});
