import { describe, expect, test } from "bun:test";
import { type ChatMessage, type ContentPart, ProviderFailure } from "../contract.ts";
import { encodeMessages } from "./encode-messages.ts";
import type { AiSdkQuirks } from "./quirks.ts";

const QUIRKS: AiSdkQuirks = {
  namespace: "acme",
  signatureField: "signature",
  schemaKeywords: null,
  asksForJson: false,
  takesUrls: true,
  billedUsage: () => null,
  reasoning: () => ({}),
  options: () => ({}),
};
const user = (...content: readonly ContentPart[]): ChatMessage => ({ role: "user", content });
const encode = (...messages: readonly ChatMessage[]) => encodeMessages(messages, QUIRKS);

describe("messages", () => {
  test("instructions go first, in their order, and blank messages go", () => {
    const prompt = encode(
      { role: "system", content: "one" },
      { role: "user", content: "hello" },
      { role: "assistant", content: "" },
      { role: "user", content: " " },
      { role: "developer", content: "two" },
    );
    expect(prompt).toEqual([
      { role: "system", content: "one" },
      { role: "system", content: "two" },
      { role: "user", content: [{ type: "text", text: "hello" }] },
    ]);
  });

  test("instructions alone are still a conversation", () => {
    expect(encode({ role: "system", content: "one" }, { role: "user", content: "" })).toEqual([
      { role: "system", content: "one" },
      { role: "user", content: [{ type: "text", text: "" }] },
    ]);
  });

  test("a result without its call is refused", () => {
    expect(() => encode({ role: "tool", toolCallId: "x", content: "1" })).toThrow(ProviderFailure);
  });
});

describe("pictures and files", () => {
  test.each([
    [
      "a data URL",
      { type: "image", url: "data:image/png;base64,AAAA" },
      "image/png",
      { type: "data", data: "AAAA" },
    ],
    ["an address", { type: "image", url: "https://a.example/b.webp" }, "image/webp", { type: "url" }],
    [
      "an address without a name",
      { type: "image", url: "https://a.example/b" },
      "image/jpeg",
      { type: "url" },
    ],
    [
      "a document",
      { type: "file", data: "data:application/pdf;base64,AAAA", filename: "a.pdf" },
      "application/pdf",
      { type: "data", data: "AAAA" },
    ],
    ["bare base64", { type: "file", data: "AAAA", filename: "a.wav" }, "audio/wav", { type: "data" }],
    [
      "a text",
      { type: "file", data: Buffer.from("grüezi").toString("base64"), filename: "a.md" },
      "text/plain",
      { type: "text", text: "grüezi" },
    ],
  ] as const)("%s keeps its kind and its bytes", (_what, part, mediaType, data) => {
    expect(encode(user(part))).toMatchObject([{ content: [{ type: "file", mediaType, data }] }]);
  });

  test.each([
    { type: "image", url: "ftp://a.example/b.png" },
    { type: "image", url: "file:///etc/passwd" },
    { type: "image", url: "nonsense" },
    { type: "file", data: "not base64!" },
    { type: "image", url: "data:image/png;base64,%%%" },
  ] as const)("%p is refused", (part) => {
    expect(() => encode(user(part))).toThrow(ProviderFailure);
  });

  test("an address is refused where the provider does not fetch", () => {
    const part = { type: "image", url: "https://a.example/b.png" } as const;
    expect(() => encodeMessages([user(part)], { ...QUIRKS, takesUrls: false })).toThrow("data URLs");
  });
});
