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

describe("an answer on Anthropic's wire", () => {
  test.each([
    ["at its end", INPUT, {}, [TOLD]],
    ["at its start", {}, { output_tokens: 7 }, []],
    ["but nulls", { input_tokens: null }, { output_tokens: 7, input_tokens: null }, []],
    ["at all", {}, {}, []],
    ["and no usage at its end", INPUT, undefined, [TOLD]],
    ["and no usage at its start", undefined, { output_tokens: 7 }, []],
    ["and no usage anywhere", undefined, null, []],
  ])("is delivered with null usage if it has no count %s", async (_where, first, last, told) => {
    expect(await answerWith(first, last)).toEqual([
      ...told,
      TEXT,
      { type: "finish", reason: "stop", usage: null },
    ] as never);
  });

  test("is counted by its last report if only that has the input count", async () => {
    expect(await answerWith({}, { input_tokens: 12, output_tokens: 7 })).toEqual([
      TEXT,
      { type: "finish", reason: "stop", usage: { inputTokens: 12, outputTokens: 7 } },
    ] as never);
  });

  test("that reports a negative count passes it on unchanged", async () => {
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
    ["cache reads", { ...INPUT, cache_read_input_tokens: "30" }, LAST],
    ["cache writes", { ...INPUT, cache_creation_input_tokens: true }, LAST],
    ["input at the end", INPUT, { ...LAST, input_tokens: "12" }],
    ["thinking tokens", INPUT, { ...LAST, output_tokens_details: { thinking_tokens: "3" } }],
    [
      "an iteration",
      INPUT,
      { ...LAST, iterations: [{ type: "message", input_tokens: "12", output_tokens: 7 }] },
    ],
    ["two counts", { input_tokens: "1", cache_read_input_tokens: "2" }, LAST],
    ["all of it", "12", LAST],
  ])("is delivered with a negative count if a count is not a number: %s", async (_, first, last) => {
    const answer = await answerWith(first, last);
    expect(answer).toContainEqual(TEXT as never);
    const finish = Array.isArray(answer) ? answer.at(-1) : null;
    const usage = finish?.type === "finish" ? finish.usage : null;
    expect(usage).not.toBeNull();
    expect(Object.values(usage ?? {}).some((count) => Number(count) < 0)).toBe(true);
  });

  test("is counted normally if only fields without counts are malformed", async () => {
    const usage = { ...LAST, service_tier: 3, output_tokens_details: "none", iterations: "none" };
    expect(await answerWith({ ...INPUT, service_tier: {} }, usage)).toEqual([
      TOLD,
      TEXT,
      { type: "finish", reason: "stop", usage: { inputTokens: 42, outputTokens: 7, cachedInputTokens: 30 } },
    ] as never);
  });

  const turn = (type: string, input_tokens = 5, output_tokens = 2) => ({ type, input_tokens, output_tokens });

  test("adds up its own iterations, without those of an advisor", async () => {
    const iterations = [turn("compaction"), turn("message"), turn("advisor_message")];
    const answer = await answerWith(INPUT, { ...LAST, iterations });
    expect(answer).toMatchObject([TOLD, TEXT, { usage: { inputTokens: 40, outputTokens: 4 } }] as never);
  });

  const NEWER = turn("newer", 300, 50);
  test.each<[string, readonly unknown[], number, number]>([
    ["the totals include it", [turn("message", 200, 20), NEWER], 530, 70],
    [
      "the totals do not include a compaction",
      [turn("compaction"), turn("message", 200, 20), NEWER],
      535,
      72,
    ],
    ["the sum of the others is higher", [turn("message", 400, 60), turn("message", 200, 20), NEWER], 630, 80],
    ["it is alone", [NEWER], 530, 70],
    ["it is null", [turn("message", 200, 20), null], 530, 70],
    ["another model answered", [turn("compaction"), turn("fallback_message"), NEWER], 530, 70],
  ])(
    "with an iteration of an unknown kind is not counted too low: %s",
    async (_, iterations, read, wrote) => {
      const answer = await answerWith({ ...INPUT, input_tokens: 500 }, { output_tokens: 70, iterations });
      const finish = { usage: { inputTokens: read, outputTokens: wrote, cachedInputTokens: 30 } };
      expect(answer).toMatchObject([{ type: "input" }, TEXT, finish] as never);
    },
  );
});

describe("an answer on Anthropic's wire that reports more than once", () => {
  const finishOf = (answer: unknown) => (Array.isArray(answer) ? answer.at(-1) : answer);
  const PROMPT = { input_tokens: 500, cache_read_input_tokens: 300 };
  const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 300) => ({
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }),
  });

  test.each([
    ["all of it", { input_tokens: 0, cache_read_input_tokens: 0 }, usage(800, 7)],
    ["the uncached part", { input_tokens: 0 }, usage(800, 7)],
    ["the uncached part, beside the rest", { input_tokens: 0, cache_read_input_tokens: 300 }, usage(800, 7)],
    ["the cached part", { input_tokens: 500, cache_read_input_tokens: 0 }, usage(800, 7)],
    [
      "the cached part, beside a corrected count",
      { input_tokens: 350, cache_read_input_tokens: 0 },
      usage(650, 7),
    ],
    [
      "the cached part, without counting a token twice",
      { input_tokens: 790, cache_read_input_tokens: 0 },
      usage(800, 7, 10),
    ],
    [
      "the uncached part, of which some became cached",
      { input_tokens: 0, cache_read_input_tokens: 450 },
      usage(800, 7, 450),
    ],
  ])("keeps its first input counts if a later report has zeros: %s", async (_, late, expected) => {
    const answer = await answerOf(PROMPT, [{ usage: { ...late, output_tokens: 7 } }]);
    expect(finishOf(answer)).toEqual({ type: "finish", reason: "stop", usage: expected });
  });

  test.each([
    ["lower", { input_tokens: 400, cache_creation_input_tokens: 0 }, usage(700, 7)],
    ["higher", { input_tokens: 600 }, usage(900, 7)],
    ["all of it from the cache", { input_tokens: 0, cache_read_input_tokens: 800 }, usage(800, 7, 800)],
    ["nothing from the cache", { input_tokens: 800, cache_read_input_tokens: 0 }, usage(800, 7, 0)],
  ])("takes the input counts of its last report: %s", async (_, late, expected) => {
    const answer = await answerOf(PROMPT, [{ usage: { ...late, output_tokens: 7 } }]);
    expect(finishOf(answer)).toEqual({ type: "finish", reason: "stop", usage: expected });
  });

  test("takes the input counts of its last report if those of the first are malformed", async () => {
    const late = { cache_read_input_tokens: 0, output_tokens: 7 };
    const answer = await answerOf({ ...PROMPT, cache_read_input_tokens: "many" }, [{ usage: late }]);
    expect(finishOf(answer)).toEqual({ type: "finish", reason: "stop", usage: usage(500, 7, 0) });
  });

  test("has zero usage if its reports say zero", async () => {
    const answer = await answerOf({ input_tokens: 0, output_tokens: 1 }, [{ usage: { output_tokens: 0 } }]);
    expect(finishOf(answer)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
  });

  const THOUGHT = { output_tokens: 7, output_tokens_details: { thinking_tokens: 3 } };
  const NOTHING = { output_tokens: 0, output_tokens_details: { thinking_tokens: 0 } };
  test.each([
    ["zeros", { ...NOTHING, iterations: [{ type: "message", input_tokens: 0, output_tokens: 0 }] }],
    ["no count", {}],
    ["null usage", null],
  ])("keeps its output count if %s follows", async (_, late) => {
    const answer = await answerOf(PROMPT, [{ usage: THOUGHT }, { usage: late }]);
    expect(finishOf(answer)).toMatchObject({ usage: { ...usage(800, 7), reasoningTokens: 3 } });
  });

  test.each([
    ["zero", { output_tokens: 0 }],
    ["no count", {}],
  ])("has null usage if its output count comes before its text and %s follows", async (_, late) => {
    const early = [{ usage: { output_tokens: 2 }, reason: null }];
    const answer = await answerOf(PROMPT, [{ usage: late }], early);
    expect(finishOf(answer)).toMatchObject({ type: "finish", usage: null });
  });

  test("is counted by the report after its text", async () => {
    const early = [{ usage: { output_tokens: 2 }, reason: null }];
    const answer = await answerOf(PROMPT, [{ usage: { output_tokens: 7 } }], early);
    expect(finishOf(answer)).toMatchObject({ usage: usage(800, 7) });
  });

  test.each([
    ["no reason", null, "max_tokens"],
    ["another reason", "end_turn", "max_tokens"],
  ])("keeps its first stop reason if %s follows", async (_, late, first) => {
    const said = [
      { usage: { output_tokens: 7 }, reason: first },
      { usage: { output_tokens: 7 }, reason: late },
    ];
    expect(finishOf(await answerOf(PROMPT, said))).toMatchObject({ type: "finish", reason: "length" });
  });

  test("keeps nothing of an earlier answer", async () => {
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
