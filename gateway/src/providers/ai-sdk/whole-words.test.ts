import { describe, expect, test } from "bun:test";
import { type ChatMessage, textOfFile } from "../../contract/index.ts";
import { encodeMessages } from "./encode/encode-messages.ts";
import { QUIRKS } from "./testing.ts";

const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "a", name: "look", arguments: "{}" }],
};

describe("the text of a file is sent as it is counted, without NUL bytes", () => {
  test.each([
    ["in base64", `data:text/plain;base64,${Buffer.from("a\0b wörter\0\0").toString("base64")}`],
    ["percent-encoded", "data:text/plain,a%00b%20w%C3%B6rter%00%00"],
  ])("%s", (_how, data) => {
    const file = { type: "file", data } as const;
    const words = textOfFile(file)?.read();
    expect(words).toBe("ab wörter");
    expect(encodeMessages([{ role: "user", content: [file] }], QUIRKS)).toMatchObject([
      { content: [{ type: "file", mediaType: "text/plain", data: { type: "text", text: words } }] },
    ]);
    const result = { role: "tool", toolCallId: "a", content: [file] } as const;
    expect(encodeMessages([CALL, result], QUIRKS)[1]).toMatchObject({
      content: [{ output: { type: "text", value: words } }],
    });
  });
});

describe("arguments of a call are sent without NUL and half characters", () => {
  const inputOf = (text: string) => {
    const toolCalls = [{ id: "a", name: "look", arguments: text }];
    const prompt = encodeMessages([{ role: "assistant", content: null, toolCalls }], QUIRKS);
    return JSON.stringify(((prompt[0]?.content ?? []) as { input: unknown }[])[0]?.input);
  };

  test.each([
    ["a NUL and half a character", String.raw`{"a":"x\u0000y\ud83d"}`, '{"a":"x\ufffdy\ufffd"}'],
    ["in a name", String.raw`{"\u0000":["\uDE00"]}`, '{"\ufffd":["\ufffd"]}'],
    [
      "beside a long number",
      String.raw`{"id":1234567890123456789,"a":"\ud83d"}`,
      '{"id":1234567890123456789,"a":"\ufffd"}',
    ],
    ["an escaped pair stays whole", String.raw`{"a":"\ud83d\ude00 \\u0000"}`, '{"a":"😀 \\\\u0000"}'],
    ["text that is not JSON", String.raw`not \u0000`, String.raw`{"input":"not \\u0000"}`],
  ])("%s", (_what, text, sent) => {
    expect(inputOf(text)).toBe(sent);
  });
});
