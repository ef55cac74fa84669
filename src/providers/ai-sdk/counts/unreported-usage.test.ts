import { afterEach, describe, expect, test } from "bun:test";
import { createAnthropicProvider } from "../anthropic.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

type Said = { readonly usage: unknown; readonly reason?: string | null };

/** The result of an answer whose first and last events report these counts. */
function answerWith(first: unknown, last: unknown) {
  return answerOf(first, [{ usage: last }]);
}

/** Like `answerWith`, for an answer that announces its end more than once; `early` comes before its text. */
async function answerOf(first: unknown, last: readonly Said[], early: readonly Said[] = []) {
  const ofDelta = ({ usage, reason = "end_turn" }: Said) => ({
    type: "message_delta",
    delta: { stop_reason: reason },
    usage,
  });
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
  const list = [
    { type: "message_start", message: { ...message, usage: first } },
    ...early.map(ofDelta),
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Said: message_delta" } },
    { type: "content_block_stop", index: 0 },
    ...last.map(ofDelta),
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

  const turn = (type: string, input_tokens = 5, output_tokens = 2) => ({ type, input_tokens, output_tokens });

  test("has every turn of its own in its count, and nobody else's", async () => {
    const iterations = [turn("compaction"), turn("message"), turn("advisor_message")];
    const answer = await answerWith(INPUT, { ...LAST, iterations });
    expect(answer).toMatchObject([TOLD, TEXT, { usage: { inputTokens: 40, outputTokens: 4 } }] as never);
  });

  const NEWER = turn("newer", 300, 50);
  test.each<[string, readonly unknown[], number, number]>([
    ["the counts beside them have it", [turn("message", 200, 20), NEWER], 530, 70],
    ["but not what was compacted", [turn("compaction"), turn("message", 200, 20), NEWER], 535, 72],
    ["unless the others come to more", [turn("message", 400, 60), turn("message", 200, 20), NEWER], 630, 80],
    ["and alone", [NEWER], 530, 70],
    ["and no turn at all", [turn("message", 200, 20), null], 530, 70],
    ["of an answer that another model gave", [turn("compaction"), turn("fallback_message"), NEWER], 530, 70],
  ])(
    "with a turn of a kind that is new is not counted without it: %s",
    async (_, iterations, read, wrote) => {
      const answer = await answerWith({ ...INPUT, input_tokens: 500 }, { output_tokens: 70, iterations });
      const finish = { usage: { inputTokens: read, outputTokens: wrote, cachedInputTokens: 30 } };
      expect(answer).toMatchObject([{ type: "input" }, TEXT, finish] as never);
    },
  );
});

describe("an answer of Anthropic's wire that reports more than once", () => {
  const finishOf = (answer: unknown) => (Array.isArray(answer) ? answer.at(-1) : answer);
  const PROMPT = { input_tokens: 500, cache_read_input_tokens: 300 };
  const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 300) => ({
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }),
  });

  test.each([
    ["all of it", { input_tokens: 0, cache_read_input_tokens: 0 }, usage(800, 7)],
    ["what was not cached", { input_tokens: 0 }, usage(800, 7)],
    [
      "what was not cached, beside the rest",
      { input_tokens: 0, cache_read_input_tokens: 300 },
      usage(800, 7),
    ],
    ["what was cached", { input_tokens: 500, cache_read_input_tokens: 0 }, usage(800, 7)],
    ["and not what was said better", { input_tokens: 350, cache_read_input_tokens: 0 }, usage(650, 7)],
    ["and no part of it twice", { input_tokens: 790, cache_read_input_tokens: 0 }, usage(800, 7, 10)],
    ["and what moved", { input_tokens: 0, cache_read_input_tokens: 450 }, usage(800, 7, 450)],
  ])("has read what it said first, where zeros take it back: %s", async (_, late, expected) => {
    const answer = await answerOf(PROMPT, [{ usage: { ...late, output_tokens: 7 } }]);
    expect(finishOf(answer)).toEqual({ type: "finish", reason: "stop", usage: expected });
  });

  test.each([
    ["which may be less", { input_tokens: 400, cache_creation_input_tokens: 0 }, usage(700, 7)],
    ["which may be more", { input_tokens: 600 }, usage(900, 7)],
    ["all of it from the cache", { input_tokens: 0, cache_read_input_tokens: 800 }, usage(800, 7, 800)],
    ["nothing from the cache", { input_tokens: 800, cache_read_input_tokens: 0 }, usage(800, 7, 0)],
  ])("has read what it said last: %s", async (_, late, expected) => {
    const answer = await answerOf(PROMPT, [{ usage: { ...late, output_tokens: 7 } }]);
    expect(finishOf(answer)).toEqual({ type: "finish", reason: "stop", usage: expected });
  });

  test("has read what it said last, where it could not be read before", async () => {
    const late = { cache_read_input_tokens: 0, output_tokens: 7 };
    const answer = await answerOf({ ...PROMPT, cache_read_input_tokens: "many" }, [{ usage: late }]);
    expect(finishOf(answer)).toEqual({ type: "finish", reason: "stop", usage: usage(500, 7, 0) });
  });

  test("is free where its only report says so", async () => {
    const answer = await answerOf({ input_tokens: 0, output_tokens: 1 }, [{ usage: { output_tokens: 0 } }]);
    expect(finishOf(answer)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
  });

  const THOUGHT = { output_tokens: 7, output_tokens_details: { thinking_tokens: 3 } };
  const NOTHING = { output_tokens: 0, output_tokens_details: { thinking_tokens: 0 } };
  test.each([
    ["zeros", { ...NOTHING, iterations: [{ type: "message", input_tokens: 0, output_tokens: 0 }] }],
    ["no count", {}],
    ["nothing", null],
  ])("has written what it said before %s", async (_, late) => {
    const answer = await answerOf(PROMPT, [{ usage: THOUGHT }, { usage: late }]);
    expect(finishOf(answer)).toMatchObject({ usage: { ...usage(800, 7), reasoningTokens: 3 } });
  });

  test.each([
    ["zero", { output_tokens: 0 }],
    ["no count", {}],
  ])("is not counted by what it said before its words, where %s follows them", async (_, late) => {
    const early = [{ usage: { output_tokens: 2 }, reason: null }];
    const answer = await answerOf(PROMPT, [{ usage: late }], early);
    expect(finishOf(answer)).toMatchObject({ type: "finish", usage: null });
  });

  test("is counted by what it says after its words", async () => {
    const early = [{ usage: { output_tokens: 2 }, reason: null }];
    const answer = await answerOf(PROMPT, [{ usage: { output_tokens: 7 } }], early);
    expect(finishOf(answer)).toMatchObject({ usage: usage(800, 7) });
  });

  test.each([
    ["nothing", null, "max_tokens"],
    ["another word", "end_turn", "max_tokens"],
  ])("has ended as it said first, where %s follows", async (_, late, first) => {
    const said = [
      { usage: { output_tokens: 7 }, reason: first },
      { usage: { output_tokens: 7 }, reason: late },
    ];
    expect(finishOf(await answerOf(PROMPT, said))).toMatchObject({ type: "finish", reason: "length" });
  });

  test("keeps nothing of another answer", async () => {
    const list = (usage: object, reason: string | null) => [
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          usage,
        },
      },
      { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 0 } },
      { type: "message_stop" },
    ];
    const answers = [
      events(...list({ input_tokens: 9 }, "max_tokens")),
      events(...list({ input_tokens: 0 }, "end_turn")),
    ];
    upstream = startTestUpstream(() => (answers.shift() as () => Response)());
    const provider = upstream.provider(createAnthropicProvider);
    expect(finishOf(await callOf(provider))).toMatchObject({ reason: "length", usage: { inputTokens: 9 } });
    expect(finishOf(await callOf(provider))).toMatchObject({ reason: "stop", usage: { inputTokens: 0 } });
  });
});
