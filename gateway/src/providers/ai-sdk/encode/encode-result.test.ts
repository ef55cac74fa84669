import { expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import type { ChatMessage, ContentPart } from "../../../contract/index.ts";
import { QUIRKS } from "../testing.ts";
import { encodeMessages } from "./encode-messages.ts";

const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "a", name: "look", arguments: "{}" }],
};
const result = (content: string | readonly ContentPart[], cache?: true): ChatMessage => ({
  role: "tool",
  toolCallId: "a",
  content,
  ...(cache ? { cache } : {}),
});
const told = (...results: readonly ChatMessage[]) =>
  encodeMessages([{ role: "user", content: "go" }, CALL, ...results], {
    ...QUIRKS,
    takesInResult: () => true,
  })[2]?.content as unknown;

const PICTURE = { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" } as const;

test("later results of a call are appended to the first, with their images and cache mark", () => {
  expect(
    told(result("one"), result([PICTURE]), result([{ type: "text", text: "two" }, PICTURE], true)),
  ).toEqual([
    {
      type: "tool-result",
      toolCallId: "a",
      toolName: "look",
      output: {
        type: "content",
        value: [
          {
            type: "text",
            text: "one\nThe result is the attached file.\n[attached file 1]\ntwo\n[attached file 2]",
          },
          expect.objectContaining({ type: "file" }),
          expect.objectContaining({ type: "file" }),
        ],
      },
      providerOptions: expect.anything(),
    },
  ]);
});

test.each([
  ["long texts", "x".repeat(1_000)],
  ["images", [PICTURE]],
])("10,000 results of one call with %s are encoded within 300 ms", (_what, content) => {
  const many = Array.from({ length: 10_000 }, () => result(content));
  expect(fastestMs(() => JSON.stringify(told(...many)).length, 5, 300)).toBeLessThan(300);
});
