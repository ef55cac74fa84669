import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { createCallSeal } from "../sealed/sealed-call-id.ts";
import { decodeMessages } from "./chat-message.ts";

const callSeal = createCallSeal("a secret for tests");
const decode = (...messages: unknown[]) => decodeMessages(messages, { maxMessages: 10_000, callSeal });
const only = (message: unknown): ChatMessage => decode(message)[0] as ChatMessage;
const call = (id: string, name = "add") => ({ id, type: "function", function: { name, arguments: "{}" } });

describe("decoding a message", () => {
  test.each([
    [
      { role: "system", content: "Be brief." },
      { role: "system", content: "Be brief." },
    ],
    [
      { role: "developer", content: null },
      { role: "developer", content: "" },
    ],
    [{ role: "developer" }, { role: "developer", content: "" }],
    [
      {
        role: "system",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      { role: "system", content: "a\nb" },
    ],
    [
      { role: "user", content: "Hello", name: "ada" },
      { role: "user", content: "Hello" },
    ],
    [
      { role: "assistant", content: "" },
      { role: "assistant", content: "" },
    ],
    [
      { role: "assistant", content: null, audio: { id: "audio_1", transcript: "Hi." } },
      { role: "assistant", content: "Hi." },
    ],
    [
      { role: "assistant", content: "a", audio: { id: "audio_1", transcript: "Hi." } },
      { role: "assistant", content: "a" },
    ],
    [
      { role: "assistant", audio: { id: "audio_1" } },
      { role: "assistant", content: null },
    ],
    [
      { role: "assistant", content: null, refusal: "No." },
      { role: "assistant", content: "No." },
    ],
    [
      {
        role: "assistant",
        content: [
          { type: "text", text: "a" },
          { type: "refusal", refusal: "b" },
        ],
      },
      { role: "assistant", content: "ab" },
    ],
    [
      { role: "assistant", content: "a", tool_calls: null, function_call: null },
      { role: "assistant", content: "a" },
    ],
    [
      { role: "tool", tool_call_id: "c", content: null },
      { role: "tool", toolCallId: "c", content: "" },
    ],
    [
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "5" }] },
      { role: "tool", toolCallId: "c", content: [{ type: "text", text: "5" }] },
    ],
  ])("of %j", (given, expected) => {
    expect(only(given)).toEqual(expected as ChatMessage);
  });

  test("keeps the role and the order of every message", () => {
    const roles = ["developer", "system", "user", "assistant", "user"];
    expect(decode(...roles.map((role) => ({ role, content: "" }))).map(({ role }) => role as string)).toEqual(
      roles,
    );
  });

  test("keeps the order and the type of a user's parts", () => {
    const content = [
      { type: "text", text: "Look:" },
      { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
      { type: "image_url", image_url: "data:image/png;base64,AA==" },
      { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
      { type: "video_url", video_url: { url: "x" } },
      "bare",
    ];
    expect(only({ role: "user", content }).content).toEqual([
      { type: "text", text: "Look:" },
      { type: "image", url: "https://example.com/a.png", detail: "low" },
      { type: "image", url: "data:image/png;base64,AA==" },
      { type: "file", mediaType: "audio/wav", data: "AA==" },
      { type: "file", filename: "a.pdf", data: "data:application/pdf;base64,AA==" },
      { type: "other", name: "video_url" },
      { type: "text", text: "bare" },
    ]);
  });

  test("keeps cache_control on parts and on system messages", () => {
    const cached = { type: "text", text: "long", cache_control: { type: "ephemeral" } };
    expect(only({ role: "user", content: [cached] }).content).toEqual([
      { type: "text", text: "long", cache: true },
    ]);
    expect(only({ role: "system", content: [cached] })).toEqual({
      role: "system",
      content: "long",
      cache: true,
    });
  });
});

test("cache_control is kept on images, files, whole messages and tool results", () => {
  const wish = { cache_control: { type: "ephemeral" } };
  const image = { type: "image_url", image_url: { url: "https://a.example/b.png" }, ...wish };
  const file = { type: "file", file: { file_data: "AA==" }, ...wish };
  expect(only({ role: "user", content: [image, file] }).content).toEqual([
    { type: "image", url: "https://a.example/b.png", cache: true },
    { type: "file", data: "AA==", cache: true },
  ]);
  expect(only({ role: "user", content: "q", ...wish })).toEqual({ role: "user", content: "q", cache: true });
  expect(only({ role: "tool", tool_call_id: "c", content: "r", ...wish })).toEqual({
    role: "tool",
    toolCallId: "c",
    content: "r",
    cache: true,
  });
});

describe("a system message in parts", () => {
  const part = (text: string, isCached = false) =>
    isCached ? { type: "text", text, cache_control: { type: "ephemeral" } } : { type: "text", text };

  test("keeps the positions where parts with cache_control end", () => {
    const content = [part("static", true), part("ü🦊", true), part("12:00")];
    expect(only({ role: "system", content })).toEqual({
      role: "system",
      content: "static\nü🦊\n12:00",
      cacheAt: [6, 10],
    });
    expect(only({ role: "developer", content: [part("a", true), part("b", true)] })).toEqual({
      role: "developer",
      content: "a\nb",
      cache: true,
      cacheAt: [1],
    });
    const marked = { role: "system", content: [part("a"), part("b")], cache_control: { type: "ephemeral" } };
    expect(only(marked)).toEqual({ role: "system", content: "a\nb", cache: true });
  });
});

describe("an assistant message", () => {
  test("keeps its tool calls, whether their arguments are text, an object or absent", () => {
    const calls = [
      { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
      { id: "b", function: { name: "g", arguments: { y: 2 } } },
      { id: "c", type: "function", function: { name: "h" } },
      { id: "d", type: "custom", custom: { name: "say", input: 'a "b"' } },
    ];
    expect(only({ role: "assistant", content: null, tool_calls: calls })).toEqual({
      role: "assistant",
      content: null,
      toolCalls: [
        { id: "a", name: "f", arguments: '{"x":1}' },
        { id: "b", name: "g", arguments: '{"y":2}' },
        { id: "c", name: "h", arguments: "" },
        { id: "d", name: "say", arguments: '{"input":"a \\"b\\""}' },
      ],
    });
  });

  test("gets the reasoning sealed in its call ids in preference to echoed reasoning; results match their call", () => {
    const reasoning = [{ text: "I must add.", signature: "proof" }];
    const id = callSeal.seal("call_1", "signed", reasoning);
    const [turn, result] = decode(
      { role: "assistant", content: "", reasoning_content: "I must", tool_calls: [call(id), call("call_2")] },
      { role: "tool", tool_call_id: id, content: "5" },
    );
    expect(turn).toEqual({
      role: "assistant",
      content: "",
      toolCalls: [
        { id: "call_1", name: "add", arguments: "{}", signature: "signed" },
        { id: "call_2", name: "add", arguments: "{}" },
      ],
      reasoning,
    });
    expect(result).toEqual({ role: "tool", toolCallId: "call_1", content: "5" });
  });

  test.each(["reasoning_content", "reasoning"])("keeps reasoning that is sent back as %s", (field) => {
    const turn = only({ role: "assistant", content: "5", [field]: "Hm." });
    expect(turn).toEqual({ role: "assistant", content: "5", reasoning: [{ text: "Hm." }] });
  });

  test("with the older function_call is answered by the function message after it", () => {
    const [, turn, result] = decode(
      { role: "user", content: "2+3" },
      { role: "assistant", content: null, function_call: { name: "add", arguments: "{}" } },
      { role: "function", name: "add", content: "5" },
    );
    expect(turn).toMatchObject({ toolCalls: [{ id: "function_1", name: "add" }] });
    expect(result).toEqual({ role: "tool", toolCallId: "function_1", content: "5" });
  });

  test("with 10,000 forged sealed ids is accepted, but none is opened after the first ones; more are refused", () => {
    const forged = `call_1--b1-${"A".repeat(60)}`;
    const genuine = callSeal.seal("call_1", "signed");
    const turn = (calls: number) => ({
      role: "assistant",
      content: "",
      tool_calls: [...Array(calls - 1).fill(call(forged)), call(genuine)],
    });
    const [read] = decode(turn(10_000));
    const { toolCalls = [] } = read as Extract<ChatMessage, { role: "assistant" }>;
    expect([...new Set(toolCalls.map(({ id }) => id))]).toEqual(["call_1"]);
    // Not even a valid seal is opened after so many invalid ones.
    expect(toolCalls.at(-1)).not.toHaveProperty("signature");
    expect(() => decode(turn(6_000), turn(6_000))).toThrow(
      "messages[1].tool_calls: must not be more than 10000",
    );
  });
});
