import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../contract.ts";
import { wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";
import { WIRE_VENDORS } from "../vendors.ts";

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
    ["a system's", { role: "system", content: "Be brief." }],
    ["a person's", { role: "user", content: "hi", name: "ann" }],
    ["a person's, in parts of any kind", { role: "user", content: [{ type: "video_url", video_url: {} }] }],
    ["with a mark for a cache", { role: "user", content: [{ type: "text", text: "x", cache_control: {} }] }],
    ["a model's", { role: "assistant", content: "hello", name: "bot" }],
    ["a refusal", { role: "assistant", content: null, refusal: "no" }],
    ["a turn of the wire's first form", { role: "assistant", content: null, function_call: { name: "f" } }],
    ["a result of the wire's first form", { role: "function", name: "f", content: "1" }],
    ["a tool's", { role: "tool", tool_call_id: "call_1", content: "1" }],
  ])("is the same object: %s", (_, message) => {
    const neutral: ChatMessage = { role: "tool", toolCallId: "call_1", content: "1" };
    expect(sent(message, wire, "tool_call_id" in message ? neutral : undefined)).toBe(message as never);
  });
});

describe("instructions", () => {
  test("of a developer are the system's where the model knows none", () => {
    const message = { role: "developer", content: "Be brief." };
    expect(sent(message)).toEqual({ role: "system", content: "Be brief." });
    expect(sent(message, openrouter)).toBe(message as never);
  });

  test("in parts are joined where a server takes one text", () => {
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

describe("what only another vendor knows", () => {
  const part = { type: "text", text: "x" };

  test("is left out of parts where it is refused", () => {
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

  test("is left out of messages that go to OpenAI, whoever wrote it there", () => {
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

describe("what the model said", () => {
  test("with calls is written from its neutral form, over what we do not know", () => {
    const message = { role: "assistant", content: "", name: "bot", tool_calls: [{ ...call, id: "sealed" }] };
    expect(sent(message, wire, turn())).toEqual({
      role: "assistant",
      content: null,
      name: "bot",
      tool_calls: [call],
    });
  });

  test("in parts beside calls or thoughts stays as it was given, where the vendor takes it so", () => {
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
    ["no parts", { content: [] }],
  ])("without calls has a text, and none of the fields that say nothing: %s", (_, fields) => {
    const neutral: ChatMessage = { role: "assistant", content: null };
    expect(sent({ role: "assistant", ...fields }, wire, neutral)).toEqual({ role: "assistant", content: "" });
  });

  test("gives signatures back to the provider that made them", () => {
    const message = { role: "assistant", content: null, tool_calls: [{ ...call, id: "sealed" }] };
    const signed = turn({ toolCalls: [{ ...neutralCall, signature: "acme/s1" }] });
    expect(sent(message, wire, signed)).toMatchObject({
      tool_calls: [{ id: "call_1", extra_content: { google: { thought_signature: "s1" } } }],
    });
    const foreign = turn({ toolCalls: [{ ...neutralCall, signature: "other/s1" }] });
    expect(JSON.stringify(sent(message, wire, foreign))).not.toContain("s1");
  });

  test("keeps a signature that the client kept itself, where the vendor knows it", () => {
    const extra = { extra_content: { google: { thought_signature: "s1" } } };
    const message = { role: "assistant", content: null, tool_calls: [{ ...call, ...extra }] };
    expect(sent(message, wire, turn())).toMatchObject({ tool_calls: [extra] });
    expect(JSON.stringify(sent(message, groq, turn()))).not.toContain("s1");
  });

  test("keeps calls of any text, under the id that the vendor knows", () => {
    const custom = { id: "sealed", type: "custom", custom: { name: "patch", input: "*** x" } };
    const neutral = turn({ toolCalls: [{ id: "call_1", name: "patch", arguments: '{"input":"*** x"}' }] });
    expect(sent({ role: "assistant", content: null, tool_calls: [custom] }, openai, neutral)).toMatchObject({
      tool_calls: [{ ...custom, id: "call_1" }],
    });
  });

  test("has calls of any text as those of functions where the vendor knows no others", () => {
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

  test("carries its reasoning only in the form that the vendor takes", () => {
    expect(sent(thought, openai, thoughtful)).toEqual({ role: "assistant", content: "4" });
    expect(sent(thought, groq, thoughtful)).toEqual({ role: "assistant", content: "4", reasoning: "2+2" });
    expect(sent(thought, deepseek, thoughtful)).toEqual(thought);
    expect(sent(thought, mistral, thoughtful)).toMatchObject({
      content: [{ type: "thinking" }, { text: "4" }],
    });
  });

  test("says that nothing was thought where the client says so, under the name that the vendor knows", () => {
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

  test("has something in the place of thoughts that nobody kept, where a server asks for them", () => {
    const calling = { role: "assistant", content: null, tool_calls: [call] };
    expect(sent(calling, deepseek, turn())).toEqual({ ...calling, reasoning_content: "" });
    for (const given of [calling, { ...calling, reasoning_content: "" }])
      expect(sent(given, moonshot, turn())).toEqual({ ...calling, reasoning_content: " " });
    expect(sent(calling, zai, turn())).toEqual(calling);
  });

  test("carries its reasoning as the client sent it to a server of which nobody knows", () => {
    const both = { ...thought, reasoning: "2+2" };
    expect(sent(both, wire, thoughtful)).toEqual(both);
  });

  test("carries signed details that the client kept as it kept them, else those from the ids", () => {
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

  test("carries thoughts in parts as the client kept them", () => {
    const content = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }];
    const message = { role: "assistant", content, tool_calls: [{ ...call, id: "abcDEF123" }] };
    const neutral = turn({ toolCalls: [{ ...neutralCall, id: "abcDEF123" }] });
    expect(sent(message, mistral, neutral)).toEqual(message);
  });

  test("loses every field that a strict server does not know", () => {
    const message = { role: "assistant", content: "x", refusal: "r", metadata: {}, name: "bot", model: "m" };
    for (const vendor of [groq, mistral])
      expect(sent(message, vendor)).toEqual({ role: "assistant", content: "x" });
    expect(sent({ role: "user", content: "x", name: "ann" }, mistral)).toEqual({
      role: "user",
      content: "x",
    });
  });
});

describe("what a tool said", () => {
  const parts = [
    { type: "text" as const, text: "a" },
    { type: "text" as const, text: "b" },
  ];
  const message = { role: "tool", tool_call_id: "sealed", content: parts };
  const neutral: ChatMessage = { role: "tool", toolCallId: "call_1", content: parts };

  test("finds its call by the id that the vendor knows, and is joined where it takes only text", () => {
    expect(sent(message, wire, neutral)).toEqual({ role: "tool", tool_call_id: "call_1", content: "a\nb" });
    expect(sent(message, openai, neutral)).toEqual({ role: "tool", tool_call_id: "call_1", content: parts });
    expect(sent(message, mistral, neutral)?.["tool_call_id"]).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  test("keeps a mark for a cache where its parts are joined, and on its last part where they are not", () => {
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
  ])("is an empty text where the client says %s, which servers refuse", (_, fields) => {
    const silent: ChatMessage = { role: "tool", toolCallId: "call_1", content: "" };
    for (const vendor of [wire, openai, mistral]) {
      expect(sent({ role: "tool", tool_call_id: "call_1", ...fields }, vendor, silent)?.["content"]).toBe("");
    }
  });

  test("names what is no text where only text is taken", () => {
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

test("messages without their neutral form are our own mistake", () => {
  expect(() => wireBodyFor({ messages: [{ role: "user", content: "x" }] }, { neutral: [] })).toThrow();
});
