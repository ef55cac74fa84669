import { afterEach, describe, expect, test } from "bun:test";
import { createAnthropicProvider } from "./anthropic.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

/** What becomes of an answer whose first and last event report these counts. */
async function answerWith(first: object, last: object) {
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
  const list = [
    { type: "message_start", message: { ...message, usage: first } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Said: message_delta" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: last },
    { type: "message_stop" },
  ];
  upstream = startTestUpstream(events(...list));
  return callOf(upstream.provider(createAnthropicProvider));
}

const TEXT = { type: "text", text: "Said: message_delta" };
const INPUT = { input_tokens: 12, cache_read_input_tokens: 30 };
const TOLD = { type: "input", usage: { inputTokens: 42, cachedInputTokens: 30, cacheWriteTokens: 0 } };

describe("an answer of Anthropic's wire", () => {
  test.each([
    ["at its end", INPUT, {}, [TOLD]],
    ["at its start", {}, { output_tokens: 7 }, []],
    ["but nulls", { input_tokens: null }, { output_tokens: 7, input_tokens: null }, []],
    ["at all", {}, {}, []],
  ])("is whole without a count %s; what it used was not reported", async (_where, first, last, told) => {
    expect(await answerWith(first, last)).toEqual([
      ...told,
      TEXT,
      { type: "finish", reason: "stop", usage: null },
    ] as never);
  });

  test("is counted by its last report where only that has the input", async () => {
    expect(await answerWith({}, { input_tokens: 12, output_tokens: 7 })).toEqual([
      TEXT,
      { type: "finish", reason: "stop", usage: { inputTokens: 12, outputTokens: 7 } },
    ] as never);
  });

  test("that reports nonsense is still not believed, and what it reports is told", async () => {
    const answer = await answerWith({ input_tokens: -5 }, { output_tokens: 7 });
    expect(answer).toMatchObject([
      { type: "input" },
      TEXT,
      { type: "finish", usage: { inputTokens: -5, outputTokens: 7 } },
    ] as never);
  });
});
