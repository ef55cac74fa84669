import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import type { WireVendor } from "../vendor.ts";
import { encodeMessage } from "./encode-message.ts";

const { openai, mistral, deepseek, openrouter, groq, vllm, llamacpp } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];

function encoded(message: ChatMessage, vendor: WireVendor = wire): unknown {
  return JSON.parse(JSON.stringify(encodeMessage(message, { vendor, model: "m", namespace: "acme" })));
}

const user = (content: Extract<ChatMessage, { role: "user" }>["content"]): ChatMessage => ({
  role: "user",
  content,
});

describe("a user message", () => {
  test("with one text part is sent as plain text", () => {
    expect(encoded(user([{ type: "text", text: "hi" }]))).toEqual({ role: "user", content: "hi" });
  });

  test("may contain images, documents and audio", () => {
    expect(
      encoded(
        user([
          { type: "text", text: "look" },
          { type: "image", url: "https://example.com/a.png", detail: "low" },
          { type: "image", url: "data:image/png;base64,AA==" },
          { type: "file", data: "data:application/pdf;base64,AA==", filename: "a.pdf" },
          { type: "file", data: "AA==", mediaType: "audio/mpeg" },
          { type: "file", data: "data:audio/wav;base64,BB==" },
        ]),
      ),
    ).toEqual({
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
        { type: "input_audio", input_audio: { data: "AA==", format: "mp3" } },
        { type: "input_audio", input_audio: { data: "BB==", format: "wav" } },
      ],
    });
  });
});

test("a document that the client sent as an image_url is sent as an image_url", () => {
  const url = "data:application/pdf;base64,AA==";
  const writtenAs = { type: "image", url, detail: "low" } as const;
  const file = { type: "file", mediaType: "application/pdf", data: url, writtenAs } as const;
  const content = [{ type: "image_url", image_url: { url, detail: "low" } }];
  expect(encoded(user([file]))).toEqual({ role: "user", content });
});

test("cache marks that this wire does not know are left out of instructions and user messages", () => {
  for (const role of ["system", "developer"] as const) {
    expect(encoded({ role, content: "Be brief.", cache: true })).toEqual({
      role: "system",
      content: "Be brief.",
    });
  }
  const marked = user([
    { type: "text", text: "a", cache: true },
    { type: "image", url: "u" },
  ]);
  expect(JSON.stringify(encoded(marked))).not.toContain("cache");
});

test("a part that this wire cannot express is rejected by name", () => {
  const odd = (name: string) => user([{ type: "other", name }]);
  expect(() => encoded(odd("video_url"))).toThrow("rejected: This model does not take video_url parts.");
  expect(() => encoded(odd("<script>"))).toThrow("rejected: This model does not take such parts.");
  expect(() => encoded(odd("video_url"))).toThrow(expect.objectContaining({ detail: { field: "messages" } }));
});

describe("an assistant message", () => {
  const call = { id: "call_1", name: "f", arguments: '{"x":1}' };

  test.each([
    ["text", { content: "hi" }, { content: "hi" }],
    ["no content", { content: null }, { content: "" }],
    ["an empty list of calls", { content: "", toolCalls: [] }, { content: "" }],
    [
      "calls without text",
      { content: "", toolCalls: [{ ...call, arguments: "" }] },
      {
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
    ],
    [
      "calls beside text",
      { content: "so", toolCalls: [call] },
      {
        content: "so",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
      },
    ],
  ])("is sent back as it was: %s", (_, message, expected) => {
    expect(encoded({ role: "assistant", ...message })).toEqual({ role: "assistant", ...expected });
  });

  const thought = {
    role: "assistant" as const,
    content: "4",
    reasoning: [{ text: "2+2" }, { text: " is 4" }],
  };

  test("carries its reasoning only in the form that the vendor accepts", () => {
    expect(encoded(thought, openai)).toEqual({ role: "assistant", content: "4" });
    for (const vendor of [deepseek, llamacpp]) {
      expect(encoded(thought, vendor)).toEqual({
        role: "assistant",
        content: "4",
        reasoning_content: "2+2 is 4",
      });
    }
    for (const vendor of [groq, vllm]) {
      expect(encoded(thought, vendor)).toEqual({ role: "assistant", content: "4", reasoning: "2+2 is 4" });
    }
    expect(encoded(thought, mistral)).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "2+2 is 4" }] },
        { type: "text", text: "4" },
      ],
    });
  });

  test.each(["reasoning_content", "reasoning"])(
    "carries reasoning that this provider sent in %s back in that field, and no other",
    (name) => {
      const reasoning = [
        { text: "2+2", signature: `acme/${name}` },
        { text: " is 4", signature: `acme/${name}` },
        { text: "foreign", signature: `other/${name}` },
        { text: "of nobody" },
        { text: "proved", signature: "acme/{}" },
      ];
      const turn = { role: "assistant" as const, content: "4" };
      expect(encoded({ ...turn, reasoning })).toEqual({ ...turn, [name]: "2+2 is 4" });
      expect(encoded({ ...turn, reasoning: reasoning.slice(2) })).toEqual(turn);
    },
  );

  test("carries signed reasoning back to its provider unchanged, and that of others without signatures", () => {
    const detail = { type: "reasoning.text", signature: "s", format: "f", index: 0 };
    const secret = { type: "reasoning.encrypted", data: "d", id: "r" };
    const reasoning = [
      { text: "hm", signature: `acme/${JSON.stringify(detail)}` },
      { text: "", signature: `acme/${JSON.stringify(secret)}` },
      { text: "foreign", signature: `other/${JSON.stringify(detail)}` },
    ];
    expect(encoded({ role: "assistant", content: "x", reasoning }, openrouter)).toMatchObject({
      reasoning_details: [{ ...detail, text: "hm" }, secret, { type: "reasoning.text", text: "foreign" }],
    });
  });

  test("carries reasoning without its signature if that is nested too deeply", () => {
    const proof = `{"type":"reasoning.text","signature":"s","more":${"[".repeat(1_000)}${"]".repeat(1_000)}}`;
    const reasoning = [{ text: "hm", signature: `acme/${proof}` }];
    const expected = { reasoning_details: [{ type: "reasoning.text", text: "hm" }] };
    expect(encoded({ role: "assistant", content: "x", reasoning }, openrouter)).toEqual(
      expect.objectContaining(expected),
    );
  });

  test("carries a call's signature only to the provider that signed it", () => {
    const signed = (signature: string): ChatMessage => ({
      role: "assistant",
      content: null,
      toolCalls: [{ ...call, signature }],
    });
    expect(encoded(signed("acme/s1"))).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: "s1" } } }],
    });
    expect(JSON.stringify(encoded(signed("other/s1")))).not.toContain("s1");
  });
});

describe("a tool message", () => {
  const parts = {
    role: "tool" as const,
    toolCallId: "call_1",
    content: [
      { type: "text" as const, text: "a" },
      { type: "text" as const, text: "b" },
    ],
  };

  test("is joined into one text if the vendor accepts only text", () => {
    expect(encoded(parts)).toEqual({ role: "tool", tool_call_id: "call_1", content: "a\nb" });
    expect(encoded(parts, openai)).toMatchObject({ content: parts.content });
  });

  test("contains images if the vendor accepts them, otherwise a placeholder", () => {
    const seen: ChatMessage = {
      ...parts,
      content: [...parts.content, { type: "image", url: "data:image/png;base64,AA==" }],
    };
    expect(encoded(seen, openrouter)).toMatchObject({ content: [{}, {}, { type: "image_url" }] });
    expect(encoded(seen)).toMatchObject({ content: "a\nb\n[image]" });
  });

  test("contains the name of a file, and its content if that is text", () => {
    const csv = Buffer.from("city,rain\nOslo,42").toString("base64");
    const files: ChatMessage = {
      ...parts,
      content: [
        { type: "text", text: "Here:" },
        { type: "file", filename: "report.csv", data: `data:text/csv;base64,${csv}` },
        { type: "file", filename: "notes.json", data: Buffer.from("{}").toString("base64") },
        { type: "file", data: "data:text/plain,nameless" },
        { type: "file", filename: "a.pdf", data: "data:application/pdf;base64,AA==" },
      ],
    };
    const told = ["[report.csv]\ncity,rain\nOslo,42", "[notes.json]\n{}", "nameless"];
    expect(encoded(files)).toMatchObject({ content: ["Here:", ...told, "[a.pdf]"].join("\n") });
    const text = (words: string) => ({ type: "text", text: words });
    expect(encoded(files, openrouter)).toMatchObject({
      content: [text("Here:"), ...told.map(text), { type: "file" }],
    });
  });

  test("has the same id as its call if ids must have nine characters", () => {
    const asked = encoded(
      { role: "assistant", content: null, toolCalls: [{ id: "call_1", name: "f", arguments: "{}" }] },
      mistral,
    );
    const { tool_call_id: id } = encoded(parts, mistral) as { tool_call_id: string };
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(asked).toMatchObject({ tool_calls: [{ id }] });
    expect(encoded({ ...parts, toolCallId: "abcDEF123" }, mistral)).toMatchObject({
      tool_call_id: "abcDEF123",
    });
  });
});
