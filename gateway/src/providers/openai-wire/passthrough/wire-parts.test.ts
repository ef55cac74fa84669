import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { openai, azure, mistral, deepseek, openrouter, groq, cerebras, fireworks, perplexity } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];
const STRICT: readonly WireVendor[] = [openai, azure, mistral, cerebras, fireworks];
const THEN: ChatMessage = { role: "user", content: "then" };
const SAID: ChatMessage = { role: "assistant", content: "said" };

/** What is sent for a message. */
function sent(message: object, vendor: WireVendor, neutral?: ChatMessage) {
  const given = neutral ?? (message as ChatMessage);
  // Another role, since some vendors get adjacent messages of one role as one.
  const next = given.role === "user" ? SAID : THEN;
  const body = wireBodyFor({ messages: [message, next] }, { vendor, neutral: [given, next] });
  return (body["messages"] as Record<string, unknown>[])[0];
}

const text = { type: "text", text: "x" };
const call = { id: "abcDEF123", type: "function", function: { name: "f", arguments: "{}" } };
const toolCalls = [{ id: "abcDEF123", name: "f", arguments: "{}" }];

describe("extra fields of a part", () => {
  test("are removed for vendors that reject unknown fields, whatever the kind of part", () => {
    const parts = [
      text,
      { type: "image_url", image_url: { url: "u", detail: "low" } },
      { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
      { type: "video_url", video_url: { url: "v" } },
    ];
    const marked = parts.map((part) => ({ ...part, cache_control: {}, index: 0, annotations: [] }));
    for (const vendor of STRICT) {
      expect(sent({ role: "user", content: marked }, vendor)).toEqual({ role: "user", content: parts });
      const plain = { role: "user", content: parts };
      expect(sent(plain, vendor)).toBe(plain as never);
    }
    const kept = { role: "user", content: marked };
    for (const vendor of [wire, openrouter]) expect(sent(kept, vendor)).toBe(kept as never);
  });

  test("stay if the vendor knows them", () => {
    const breakpoint = { ...text, prompt_cache_breakpoint: { mode: "explicit" } };
    expect(sent({ role: "system", content: [breakpoint] }, openai)).toMatchObject({ content: [breakpoint] });
    const reference = { type: "reference", reference_ids: [1] };
    const answer = { role: "assistant", content: [text, reference] };
    expect(sent(answer, mistral)).toEqual(answer);
  });

  test("stay if the kind of part is unknown", () => {
    const parts = [
      { type: "input_text", text: "x" },
      { type: "hologram", hologram: { url: "u" }, depth: 3 },
      { text: "x", index: 0 },
    ];
    const message = { role: "user", content: parts };
    for (const vendor of STRICT) expect(sent(message, vendor)).toBe(message as never);
  });

  test("that copy the assistant message around it are removed for every vendor", () => {
    const copied = {
      role: "assistant",
      refusal: null,
      annotations: [],
      reasoning_content: "hm",
      tool_calls: [{ ...call, id: "sealed" }],
    };
    const message = { role: "assistant", content: [{ ...text, ...copied }], tool_calls: [call] };
    const plain = { role: "assistant", content: [text], tool_calls: [call] };
    const neutral: ChatMessage = { role: "assistant", content: "x", toolCalls };
    for (const vendor of [...STRICT, wire, openrouter]) expect(sent(message, vendor, neutral)).toEqual(plain);
    const refused = { type: "refusal", refusal: "no" };
    const refusing = { role: "assistant", content: [{ ...refused, role: "assistant", content: null }] };
    const said: ChatMessage = { role: "assistant", content: "no" };
    for (const vendor of [openai, wire])
      expect(sent(refusing, vendor, said)).toEqual({ role: "assistant", content: [refused] });
  });
});

describe("a document", () => {
  test("is sent under the vendor's name for it, and the parts beside it stay", () => {
    const file = { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } };
    const url = "data:application/pdf;base64,AA==";
    const message = { role: "user", content: [text, file] };
    const named = { type: "document_url", document_url: url, document_name: "a.pdf" };
    expect(sent(message, mistral)?.["content"]).toEqual([text, named]);
    expect(sent(message, perplexity)?.["content"]).toEqual([text, { type: "file_url", file_url: { url } }]);
    expect(sent(message, openai)).toBe(message as never);
  });

  test("without a media type gets that of its file name", () => {
    const document = (file: object) => ({ role: "user", content: [{ type: "file", file }] });
    const named = document({ filename: "A.PDF", file_data: "JVBERi0=" });
    const url = "data:application/pdf;base64,JVBERi0=";
    expect(sent(named, mistral)?.["content"]).toEqual([
      { type: "document_url", document_url: url, document_name: "A.PDF" },
    ]);
    expect(sent(named, perplexity)?.["content"]).toEqual([{ type: "file_url", file_url: { url } }]);
    for (const nameless of [{ file_data: "AA" }, { file_data: "AA", filename: "" }])
      expect(sent(document(nameless), mistral)?.["content"]).toEqual([
        { type: "document_url", document_url: "data:application/octet-stream;base64,AA" },
      ]);
  });
});

describe("reasoning parts of an assistant message", () => {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: "deep" }] };

  test.each([
    ["as reasoning", { type: "reasoning", reasoning: "deep" }],
    ["as reasoning with text", { type: "reasoning", text: "deep" }],
    ["as thinking", thinking],
  ])("are sent in the form that the vendor accepts, with and without calls: %s", (_, thought) => {
    const message = { role: "assistant", content: [thought, text] };
    const neutral: ChatMessage = { role: "assistant", content: "x" };
    expect(sent(message, mistral, neutral)).toEqual({ role: "assistant", content: [thinking, text] });
    expect(
      sent({ ...message, tool_calls: [call] }, mistral, { ...neutral, toolCalls } as ChatMessage),
    ).toMatchObject({ content: [thinking, text] });
    // It is unknown what other servers accept.
    expect(sent(message, wire, neutral)).toEqual(message);
  });

  test("are removed for vendors that do not accept them, and if they are empty", () => {
    const message = { role: "assistant", content: [{ type: "reasoning", reasoning: "deep" }, text] };
    const neutral: ChatMessage = { role: "assistant", content: "x" };
    for (const vendor of [openai, cerebras])
      expect(sent(message, vendor, neutral)).toEqual({ role: "assistant", content: [text] });
    for (const vendor of [deepseek, groq])
      expect(sent(message, vendor, neutral)).toMatchObject({ content: "x" });
    const empty = { role: "assistant", content: [{ type: "reasoning", summary: [] }] };
    expect(sent(empty, mistral, { role: "assistant", content: "" })).toEqual({
      role: "assistant",
      content: "",
    });
  });

  test("that come from call ids are put before text parts", () => {
    const message = { role: "assistant", content: [text], tool_calls: [call] };
    const neutral: ChatMessage = {
      role: "assistant",
      content: "x",
      toolCalls,
      reasoning: [{ text: "deep" }],
    };
    expect(sent(message, mistral, neutral)).toMatchObject({ content: [thinking, text] });
  });
});

test("a text file in a tool result is sent as text; a PDF stays only if the vendor accepts it", () => {
  const data = `data:text/plain;base64,${Buffer.from("w\0ords").toString("base64")}`;
  const mark = { prompt_cache_breakpoint: { mode: "explicit" } };
  const pdf = { type: "file", file: { filename: "a.pdf", file_data: "AA==" } };
  const content = [
    text,
    { type: "file", file: { filename: "a.txt", file_data: data }, ...mark },
    { type: "image_url", image_url: { url: data }, index: 0 },
    pdf,
  ];
  const neutral: ChatMessage = {
    role: "tool",
    toolCallId: "abcDEF123",
    content: [
      { type: "text", text: "x" },
      { type: "file", data, filename: "a.txt" },
      { type: "file", data, mediaType: "text/plain", writtenAs: { type: "image", url: data } },
      { type: "file", data: "AA==", filename: "a.pdf" },
    ],
  };
  const words = { type: "text", text: "words" };
  const named = { type: "text", text: "[a.txt]\nwords", ...mark };
  for (const vendor of [openai, openrouter])
    expect(sent({ role: "tool", tool_call_id: "abcDEF123", content }, vendor, neutral)).toEqual({
      role: "tool",
      tool_call_id: "abcDEF123",
      content:
        vendor === openai
          ? [text, named, words, { type: "text", text: "[a.pdf]" }]
          : [text, named, { ...words, index: 0 }, pdf],
    });
});
