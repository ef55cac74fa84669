import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { openai, azure, mistral, deepseek, moonshot, zai, openrouter, groq, fireworks } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];
const THEN: ChatMessage = { role: "user", content: "then" };

/** What is sent for a client's message; `neutral` is given if the edge reads more in it than it says. */
function sent(message: object, vendor: WireVendor = wire, neutral?: ChatMessage) {
  const body = wireBodyFor(
    { messages: [message, THEN] },
    { vendor, neutral: [neutral ?? (message as ChatMessage), THEN] },
  );
  return (body["messages"] as Record<string, unknown>[])[0];
}

const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
const neutralCall = { id: "call_1", name: "f", arguments: "{}" };
const turn = (more: Partial<Extract<ChatMessage, { role: "assistant" }>> = {}): ChatMessage => ({
  role: "assistant",
  content: null,
  toolCalls: [neutralCall],
  ...more,
});

describe("a message that needs no repair", () => {
  test.each<[string, object]>([
    ["system", { role: "system", content: "Be brief." }],
    ["user", { role: "user", content: "hi", name: "ann" }],
    ["user, with unknown parts", { role: "user", content: [{ type: "video_url", video_url: {} }] }],
    ["with a cache mark", { role: "user", content: [{ type: "text", text: "x", cache_control: {} }] }],
    ["assistant", { role: "assistant", content: "hello", name: "bot" }],
    ["a refusal", { role: "assistant", content: null, refusal: "no" }],
    ["a legacy function_call", { role: "assistant", content: null, function_call: { name: "f" } }],
    ["a legacy function result", { role: "function", name: "f", content: "1" }],
    ["tool", { role: "tool", tool_call_id: "call_1", content: "1" }],
  ])("is sent as the same object: %s", (_, message) => {
    const neutral: ChatMessage = { role: "tool", toolCallId: "call_1", content: "1" };
    expect(sent(message, wire, "tool_call_id" in message ? neutral : undefined)).toBe(message as never);
  });
});

describe("messages in a form that the vendor does not take", () => {
  test("from a developer become system messages if the model knows no developer", () => {
    const message = { role: "developer", content: "Be brief." };
    expect(sent(message)).toEqual({ role: "system", content: "Be brief." });
    expect(sent(message, openrouter)).toBe(message as never);
  });

  test("in text parts are joined if the vendor takes one text", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(sent({ role: "system", content }, groq)).toEqual({ role: "system", content: "a\nb" });
    expect(sent({ role: "user", content }, deepseek)).toEqual({ role: "user", content: "a\nb" });
    // A model's own texts had no line break between them.
    expect(sent({ role: "assistant", content }, deepseek)).toMatchObject({ content: "ab" });
    const picture = { role: "user", content: [...content, { type: "image_url", image_url: { url: "u" } }] };
    expect(sent(picture, deepseek)).toBe(picture as never);
  });
});

describe("fields that only another vendor knows", () => {
  const part = { type: "text", text: "x" };

  test("are removed from parts if the vendor rejects them", () => {
    const marks = { prompt_cache_breakpoint: { mode: "explicit" }, cache_control: { type: "ephemeral" } };
    const picture = { type: "image_url", image_url: { url: "u" } };
    const message = { role: "user", content: [{ ...part, ...marks }, picture] };
    for (const vendor of [groq, mistral]) {
      expect(sent(message, vendor)).toEqual({ role: "user", content: [part, picture] });
    }
    const { cache_control: _, ...own } = marks;
    for (const role of ["user", "system", "developer"]) {
      const content = [{ ...part, ...own }];
      expect(sent({ role, content: [{ ...part, ...marks }] }, openai)).toMatchObject({ content });
    }
    const result: ChatMessage = {
      role: "tool",
      toolCallId: "call_1",
      content: [{ type: "text", text: "x" }],
    };
    expect(sent({ role: "tool", tool_call_id: "call_1", content: message.content }, openai, result)).toEqual({
      role: "tool",
      tool_call_id: "call_1",
      content: [{ ...part, ...own }, picture],
    });
    expect(sent(message, wire)).toBe(message as never);
  });

  test("are removed from messages to OpenAI", () => {
    const foreign = {
      channel: "final",
      thought_signature: "s1",
      prefix: false,
      annotations: [{ type: "url_citation" }],
      extra_content: { google: { thought_signature: "s1" } },
      reasoning_details: [{ type: "reasoning.text", text: "hm" }],
    };
    const said = { role: "assistant", content: "hello", name: "bot" };
    for (const vendor of [openai, azure]) {
      expect(sent({ ...said, ...foreign }, vendor)).toEqual(said);
      expect(sent({ ...said, content: null, refusal: "no", ...foreign }, vendor)).toEqual({
        ...said,
        content: null,
        refusal: "no",
      });
      const calling = { role: "assistant", content: null, tool_calls: [{ ...call, index: 0, ...foreign }] };
      expect(sent({ ...calling, ...foreign }, vendor, turn())).toEqual({ ...calling, tool_calls: [call] });
      const marked = { role: "user", content: "hi", name: "ann", cache_control: { type: "ephemeral" } };
      expect(sent(marked, vendor)).toEqual({ role: "user", content: "hi", name: "ann" });
    }
    expect(sent({ ...said, ...foreign }, wire)).toMatchObject({ channel: "final" });
  });
});

describe("an assistant message", () => {
  test("with calls is encoded from its neutral form, and unknown fields are kept", () => {
    const message = { role: "assistant", content: "", name: "bot", tool_calls: [{ ...call, id: "sealed" }] };
    expect(sent(message, wire, turn())).toEqual({
      role: "assistant",
      content: null,
      name: "bot",
      tool_calls: [call],
    });
  });

  test("in parts beside calls or reasoning keeps its parts if the vendor accepts them", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b", ...mark },
    ];
    const calling = { role: "assistant", content, tool_calls: [call] };
    for (const vendor of [wire, openrouter])
      expect(sent(calling, vendor, turn({ content: "ab" }))).toEqual(calling);
    const plain = content.map(({ type, text }) => ({ type, text }));
    expect(sent(calling, openai, turn({ content: "ab" }))).toEqual({ ...calling, content: plain });
    expect(sent(calling, groq, turn({ content: "ab" }))).toMatchObject({ content: "ab" });
    const thinking = { role: "assistant", content, reasoning_content: "hm" };
    expect(sent(thinking, wire, { role: "assistant", content: "ab", reasoning: [{ text: "hm" }] })).toEqual(
      thinking,
    );
    const mixed = [{ type: "thinking", thinking: "hm" }, ...content];
    expect(sent({ ...calling, content: mixed }, openai, turn({ content: "ab" }))).toMatchObject({
      content: plain,
    });
  });

  test.each([
    ["null", { content: null, refusal: null, tool_calls: null, annotations: [], audio: null }],
    ["nothing", { tool_calls: [] }],
    ["an empty list of parts", { content: [] }],
  ])("without content and calls has an empty text and no empty fields: %s", (_, fields) => {
    const neutral: ChatMessage = { role: "assistant", content: null };
    expect(sent({ role: "assistant", ...fields }, wire, neutral)).toEqual({ role: "assistant", content: "" });
  });

  test("carries signatures back to the provider that made them, and to no other", () => {
    const message = { role: "assistant", content: null, tool_calls: [{ ...call, id: "sealed" }] };
    const signed = turn({ toolCalls: [{ ...neutralCall, signature: "acme/s1" }] });
    expect(sent(message, wire, signed)).toMatchObject({
      tool_calls: [{ id: "call_1", extra_content: { google: { thought_signature: "s1" } } }],
    });
    const foreign = turn({ toolCalls: [{ ...neutralCall, signature: "other/s1" }] });
    expect(JSON.stringify(sent(message, wire, foreign))).not.toContain("s1");
  });

  test("keeps a signature that the client kept, if the vendor knows it", () => {
    const extra = { extra_content: { google: { thought_signature: "s1" } } };
    const message = { role: "assistant", content: null, tool_calls: [{ ...call, ...extra }] };
    expect(sent(message, wire, turn())).toMatchObject({ tool_calls: [extra] });
    expect(JSON.stringify(sent(message, groq, turn()))).not.toContain("s1");
  });

  test("keeps custom tool calls, under the provider's id", () => {
    const custom = { id: "sealed", type: "custom", custom: { name: "patch", input: "*** x" } };
    const neutral = turn({ toolCalls: [{ id: "call_1", name: "patch", arguments: '{"input":"*** x"}' }] });
    expect(sent({ role: "assistant", content: null, tool_calls: [custom] }, openai, neutral)).toMatchObject({
      tool_calls: [{ ...custom, id: "call_1" }],
    });
  });

  test("has custom tool calls as function calls if the vendor knows no custom tools", () => {
    const custom = { id: "sealed", type: "custom", custom: { name: "patch", input: "*** x" } };
    const made = { name: "patch", arguments: '{"input":"*** x"}' };
    const neutral = turn({ toolCalls: [{ id: "call_1", ...made }] });
    for (const vendor of [wire, groq]) {
      expect(sent({ role: "assistant", content: null, tool_calls: [custom] }, vendor, neutral)).toEqual({
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: made }],
      });
    }
  });

  const thought = { role: "assistant", content: "4", reasoning_content: "2+2" };
  const thoughtful: ChatMessage = { role: "assistant", content: "4", reasoning: [{ text: "2+2" }] };

  test("carries its reasoning only in the form that the vendor accepts", () => {
    expect(sent(thought, openai, thoughtful)).toEqual({ role: "assistant", content: "4" });
    expect(sent(thought, groq, thoughtful)).toEqual({ role: "assistant", content: "4", reasoning: "2+2" });
    expect(sent(thought, deepseek, thoughtful)).toEqual(thought);
    expect(sent(thought, mistral, thoughtful)).toMatchObject({
      content: [{ type: "thinking" }, { text: "4" }],
    });
  });

  test("keeps empty reasoning of the client, if the vendor knows the field", () => {
    const silent = { role: "assistant", content: "4", reasoning_content: "" };
    const neutral: ChatMessage = { role: "assistant", content: "4" };
    for (const vendor of [deepseek, zai]) expect(sent(silent, vendor, neutral)).toEqual(silent);
    expect(sent(silent, openai, neutral)).toEqual({ role: "assistant", content: "4" });
    const calling = { role: "assistant", content: null, reasoning_content: "", tool_calls: [call] };
    expect(sent(calling, zai, turn())).toEqual(calling);
    expect(sent({ ...calling, reasoning: "2+2" }, zai, turn({ reasoning: [{ text: "2+2" }] }))).toEqual({
      ...calling,
      reasoning_content: "2+2",
    });
  });

  test("gets empty reasoning beside calls if the vendor requires reasoning", () => {
    const calling = { role: "assistant", content: null, tool_calls: [call] };
    expect(sent(calling, deepseek, turn())).toEqual({ ...calling, reasoning_content: "" });
    for (const given of [calling, { ...calling, reasoning_content: "" }])
      expect(sent(given, moonshot, turn())).toEqual({ ...calling, reasoning_content: " " });
    expect(sent(calling, zai, turn())).toEqual(calling);
  });

  test("carries its reasoning unchanged to a vendor that we have no rule for", () => {
    const both = { ...thought, reasoning: "2+2" };
    expect(sent(both, wire, thoughtful)).toEqual(both);
  });

  test("carries reasoning details as the client kept them, otherwise those sealed in ids", () => {
    const details = [{ type: "reasoning.text", text: "2+2", signature: "s" }];
    const kept = { role: "assistant", content: "4", reasoning: "2+2", reasoning_details: details };
    expect(sent(kept, openrouter, thoughtful)).toEqual(kept);
    const sealed = `acme/${JSON.stringify({ type: "reasoning.text", signature: "s" })}`;
    const carried: ChatMessage = {
      role: "assistant",
      content: "4",
      reasoning: [{ text: "2+2", signature: sealed }],
    };
    expect(sent({ role: "assistant", content: "4" }, openrouter, carried)).toEqual(kept);
  });

  test("carries reasoning in parts as the client kept it", () => {
    const content = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }];
    const message = { role: "assistant", content, tool_calls: [{ ...call, id: "abcDEF123" }] };
    const neutral = turn({ toolCalls: [{ ...neutralCall, id: "abcDEF123" }] });
    expect(sent(message, mistral, neutral)).toEqual(message);
  });

  test("loses every field that a strict vendor does not know", () => {
    const message = { role: "assistant", content: "x", refusal: "r", metadata: {}, name: "bot", model: "m" };
    for (const vendor of [groq, mistral])
      expect(sent(message, vendor)).toEqual({ role: "assistant", content: "x" });
    expect(sent({ role: "user", content: "x", name: "ann" }, mistral)).toEqual({
      role: "user",
      content: "x",
    });
  });
});

describe("a tool message", () => {
  const parts = [
    { type: "text" as const, text: "a" },
    { type: "text" as const, text: "b" },
  ];
  const message = { role: "tool", tool_call_id: "sealed", content: parts };
  const neutral: ChatMessage = { role: "tool", toolCallId: "call_1", content: parts };

  test("has the provider's call id, and is joined if the vendor accepts only text", () => {
    expect(sent(message, wire, neutral)).toEqual({ role: "tool", tool_call_id: "call_1", content: "a\nb" });
    expect(sent(message, openai, neutral)).toEqual({ role: "tool", tool_call_id: "call_1", content: parts });
    expect(sent(message, mistral, neutral)?.["tool_call_id"]).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  test("keeps a cache mark, on the message if its parts are joined, else on its part", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const content = [parts[0], { ...parts[1], ...mark }, { type: "text", text: "c" }];
    const marked = { ...message, content };
    const joined = { role: "tool", tool_call_id: "call_1", content: "a\nb" };
    expect(sent(marked, wire, neutral)).toEqual({ ...joined, ...mark });
    expect(sent({ ...marked, cache_control: {} }, wire, neutral)).toEqual({ ...joined, cache_control: {} });
    expect(sent(marked, openrouter, neutral)?.["content"]).toBe(content);
    // Vendors that refuse unknown fields get none, and neither do those that get none on a user's parts.
    for (const vendor of [mistral, fireworks, deepseek])
      expect(sent(marked, vendor, neutral)).not.toHaveProperty("cache_control");
  });

  test.each([
    ["null", { content: null }],
    ["nothing", {}],
  ])("gets an empty text if the client sends %s, which vendors reject", (_, fields) => {
    const silent: ChatMessage = { role: "tool", toolCallId: "call_1", content: "" };
    for (const vendor of [wire, openai, mistral]) {
      expect(sent({ role: "tool", tool_call_id: "call_1", ...fields }, vendor, silent)?.["content"]).toBe("");
    }
  });

  test("has placeholders for what is not text if the vendor accepts only text", () => {
    const seen: ChatMessage = {
      role: "tool",
      toolCallId: "call_1",
      content: [
        { type: "text", text: "a" },
        { type: "image", url: "data:image/png;base64,AA==" },
        { type: "file", data: "AA==", filename: "a.pdf" },
        { type: "other", name: "video_url" },
      ],
    };
    expect(sent({ ...message, content: [{}] }, wire, seen)?.["content"]).toBe(
      "a\n[image]\n[a.pdf]\n[video_url]",
    );
  });
});

test("messages without their neutral form throw, as a bug of ours", () => {
  expect(() => wireBodyFor({ messages: [{ role: "user", content: "x" }] }, { neutral: [] })).toThrow();
});
