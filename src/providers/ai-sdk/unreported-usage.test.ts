import { afterEach, describe, expect, test } from "bun:test";
import { createAnthropicProvider } from "./anthropic.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

/** What becomes of an answer whose first and last event report these counts. */
async function answerWith(first: unknown, last: unknown) {
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
    ["and without usage at its end", INPUT, undefined, [TOLD]],
    ["and without usage at its start", undefined, { output_tokens: 7 }, []],
    ["and without any usage", undefined, null, []],
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

  const LAST = { output_tokens: 7 };
  test.each<[string, unknown, unknown]>([
    ["input", { input_tokens: "12" }, LAST],
    ["output", INPUT, { output_tokens: "7" }],
    ["what was read from the cache", { ...INPUT, cache_read_input_tokens: "30" }, LAST],
    ["what was written to the cache", { ...INPUT, cache_creation_input_tokens: true }, LAST],
    ["input at the end", INPUT, { ...LAST, input_tokens: "12" }],
    ["what was thought", INPUT, { ...LAST, output_tokens_details: { thinking_tokens: "3" } }],
    ["a turn", INPUT, { ...LAST, iterations: [{ type: "message", input_tokens: "12", output_tokens: 7 }] }],
    ["both of two", { input_tokens: "1", cache_read_input_tokens: "2" }, LAST],
    ["all of it", "12", LAST],
  ])(
    "is whole where a count is no number, and what it reports is not to be believed: %s",
    async (_, first, last) => {
      const answer = await answerWith(first, last);
      expect(answer).toContainEqual(TEXT as never);
      const finish = Array.isArray(answer) ? answer.at(-1) : null;
      const usage = finish?.type === "finish" ? finish.usage : null;
      expect(usage).not.toBeNull();
      expect(Object.values(usage ?? {}).some((count) => count < 0)).toBe(true);
    },
  );

  test("is whole and counted where what says nothing of counts is odd", async () => {
    const usage = { ...LAST, service_tier: 3, output_tokens_details: "none", iterations: "none" };
    expect(await answerWith({ ...INPUT, service_tier: {} }, usage)).toEqual([
      TOLD,
      TEXT,
      { type: "finish", reason: "stop", usage: { inputTokens: 42, outputTokens: 7, cachedInputTokens: 30 } },
    ] as never);
  });

  test("has every turn of its own in its count, and nobody else's", async () => {
    const turn = (type: string, counts: object = {}) => ({
      type,
      input_tokens: 5,
      output_tokens: 2,
      ...counts,
    });
    const iterations = [turn("compaction"), turn("message"), turn("advisor_message"), turn("newer"), null];
    const answer = await answerWith(INPUT, { ...LAST, iterations });
    expect(answer).toMatchObject([TOLD, TEXT, { usage: { inputTokens: 40, outputTokens: 4 } }] as never);
  });
});
