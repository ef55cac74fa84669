import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../contract.ts";
import { textOfFile } from "../file-text.ts";
import { encodeMessages } from "./encode-messages.ts";
import { QUIRKS } from "./testing.ts";

const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "a", name: "look", arguments: "{}" }],
};

describe("the words of a file are sent as they are counted, without empty bytes", () => {
  test.each([
    ["in base64", `data:text/plain;base64,${Buffer.from("a\0b wörter\0\0").toString("base64")}`],
    ["written out", "data:text/plain,a%00b%20w%C3%B6rter%00%00"],
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
