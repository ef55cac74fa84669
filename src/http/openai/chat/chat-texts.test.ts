import { describe, expect, test } from "bun:test";
import { createCallSeal } from "../sealed/sealed-call-id.ts";
import { decodeMessages } from "./chat-message.ts";
import { chatTexts } from "./chat-texts.ts";

type Json = Readonly<Record<string, unknown>>;

const callSeal = createCallSeal("a secret for tests");
const CALL = { id: "c1", type: "function", function: { name: "read", arguments: "{}" } };
const TEXT = "A text that is long enough.";

/** The message with every neutral text in capitals, rewritten as compaction would do it. */
function rewritten(message: Json): { body: Json; isFixed: boolean } {
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
  return { body: texts.rewrite(shown, [1]), isFixed: texts.isFixed(1) };
}

const messageOf = (body: Json) => (body["messages"] as Json[])[1];

describe("a rewritten text is written back to its place", () => {
  const tool = { role: "tool", tool_call_id: "c1", name: "read" };
  const turn = { role: "assistant", tool_calls: [CALL], annotations: [] };
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
    ["an assistant message", { ...turn, content: TEXT }, { ...turn, content: TEXT.toUpperCase() }],
    [
      "the only text part of an assistant message, beside its thinking",
      {
        ...turn,
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: TEXT },
        ],
      },
      {
        ...turn,
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: TEXT.toUpperCase() },
        ],
      },
    ],
    [
      "a function message",
      { role: "function", name: "read", content: TEXT },
      { role: "function", name: "read", content: TEXT.toUpperCase() },
    ],
  ])("%s", (_, given, wanted) => {
    const { body, isFixed } = rewritten(given);
    expect(isFixed).toBe(false);
    expect(messageOf(body)).toEqual(wanted);
  });
});

test("texts of several parts, and refusals, cannot be rewritten", () => {
  const parts = [
    { type: "text", text: TEXT },
    { type: "text", text: TEXT },
  ];
  for (const message of [
    { role: "assistant", content: parts },
    { role: "assistant", content: "", refusal: TEXT },
    { role: "assistant", content: null, refusal: TEXT },
    { role: "assistant", content: [{ type: "text", text: "" }], refusal: TEXT },
  ]) {
    expect(rewritten(message).isFixed).toBe(true);
  }
});

test("a text with annotations that count its characters cannot be rewritten", () => {
  const annotations = [{ type: "url_citation", url_citation: { start_index: 2, end_index: 6 } }];
  for (const message of [
    { role: "assistant", content: TEXT, annotations },
    { role: "assistant", content: [{ type: "text", text: TEXT, annotations }] },
  ]) {
    expect(rewritten(message).isFixed).toBe(true);
  }
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
