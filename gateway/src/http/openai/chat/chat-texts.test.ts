import { describe, expect, test } from "bun:test";
import { createCallSeal } from "../sealed/sealed-call-id.ts";
import { decodeMessages } from "./chat-message.ts";
import { chatTexts } from "./chat-texts.ts";

type Json = Readonly<Record<string, unknown>>;

const callSeal = createCallSeal("a secret for tests");
const TEXT = "A text that is long enough.";

/** The message with every neutral text in capitals, rewritten as compaction would do it. */
function rewritten(message: Json): Json {
  const body = { model: "m", messages: [{ role: "user", content: "Hello" }, message], extra: { a: 1 } };
  const neutral = decodeMessages(body.messages, { maxMessages: 10, callSeal });
  const texts = chatTexts(body);
  const shown = neutral.map((one) => {
    const { content } = one;
    if (typeof content === "string") return { ...one, content: content.toUpperCase() } as typeof one;
    const parts = content?.map((part) =>
      "text" in part ? { ...part, text: part.text.toUpperCase() } : part,
    );
    return { ...one, content: parts ?? null } as typeof one;
  });
  return texts.rewrite(shown, [1]);
}

const messageOf = (body: Json) => (body["messages"] as Json[])[1];

describe("a rewritten text is written back to its place", () => {
  const tool = { role: "tool", tool_call_id: "c1", name: "read" };
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
  test.each<[string, Json, Json]>([
    ["a string", { ...tool, content: TEXT }, { ...tool, content: TEXT.toUpperCase() }],
    [
      "a part, with its other fields",
      { ...tool, content: [image, { type: "text", text: TEXT, cache_control: { type: "ephemeral" } }] },
      {
        ...tool,
        content: [image, { type: "text", text: TEXT.toUpperCase(), cache_control: { type: "ephemeral" } }],
      },
    ],
    ["a bare string among parts", { ...tool, content: [TEXT] }, { ...tool, content: [TEXT.toUpperCase()] }],
    [
      "the parts of a user message",
      {
        role: "user",
        name: "Ann",
        content: [image, { type: "text", text: TEXT }, { type: "text", text: "b" }],
      },
      {
        ...{ role: "user", name: "Ann" },
        content: [image, { type: "text", text: TEXT.toUpperCase() }, { type: "text", text: "B" }],
      },
    ],
    [
      "a function message",
      { role: "function", name: "read", content: TEXT },
      { role: "function", name: "read", content: TEXT.toUpperCase() },
    ],
  ])("%s", (_, given, wanted) => {
    expect(messageOf(rewritten(given))).toEqual(wanted);
  });
});

test("a rewrite keeps everything else in the body unchanged", () => {
  const first = { role: "user", content: "Hello" };
  const body = { messages: [first, { role: "tool", tool_call_id: "c1", content: TEXT }], extra: { a: 1 } };
  const before = JSON.stringify(body);
  const shown = [first, { role: "tool", toolCallId: "c1", content: "short" }] as const;
  const after = chatTexts(body).rewrite(shown as never, [1]);
  expect((after["messages"] as Json[])[0]).toBe(first);
  expect(after["extra"]).toBe(body.extra);
  expect(JSON.stringify(body)).toBe(before);
});
