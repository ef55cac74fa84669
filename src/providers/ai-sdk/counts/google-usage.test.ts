import { afterEach, describe, expect, test } from "bun:test";
import { createGoogleProvider } from "../google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const COUNTS = { promptTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105 };

/** The usage at the end of an answer that carries this report. */
async function reported(usageMetadata: unknown, text = "Hi") {
  const content = { role: "model", parts: [{ text }] };
  const candidates = [{ content, finishReason: "STOP" }];
  upstream = startTestUpstream(events({ candidates, usageMetadata }));
  const answer = await callOf(upstream.provider(createGoogleProvider));
  expect(answer).toContainEqual({ type: "text", text });
  const finish = Array.isArray(answer) ? answer.at(-1) : null;
  return finish?.type === "finish" ? finish.usage : undefined;
}

describe("an answer of Gemini's", () => {
  test.each<[string, unknown]>([
    ["a text for the prompt", { ...COUNTS, promptTokenCount: "100" }],
    ["a text for the answer", { ...COUNTS, candidatesTokenCount: "5" }],
    ["a text for the cache", { ...COUNTS, cachedContentTokenCount: "5" }],
    ["a text for thoughts", { ...COUNTS, thoughtsTokenCount: "5" }],
    ["fewer than none, beside more", { ...COUNTS, promptTokenCount: -5, toolUsePromptTokenCount: 100 }],
    ["halves", { ...COUNTS, promptTokenCount: 10.5, toolUsePromptTokenCount: 0.5 }],
    ["a list", { ...COUNTS, candidatesTokenCount: [5] }],
    ["no prompt", { ...COUNTS, promptTokenCount: null }],
    ["a prompt left out", { candidatesTokenCount: 5, totalTokenCount: 105 }],
    ["no object at all", "many"],
    ["a list for an object", [100, 5]],
  ])("is whole where its report has %s, and that is not to be believed", async (_, usageMetadata) => {
    const usage = await reported(usageMetadata);
    expect(usage).not.toBeNull();
    expect(Object.values(usage ?? {}).some((count) => !(count >= 0))).toBe(true);
  });

  test.each<[string, unknown]>([
    ["the total, which nobody adds up", { ...COUNTS, totalTokenCount: "105" }],
    ["what the prompt consists of", { ...COUNTS, promptTokensDetails: "TEXT" }],
    ["a part of the prompt", { ...COUNTS, promptTokensDetails: [{ modality: "TEXT", tokenCount: "100" }] }],
    ["a kind of sound", { ...COUNTS, promptTokensDetails: [{ modality: null, tokenCount: "100" }, null] }],
    ["a count that is null", { ...COUNTS, cachedContentTokenCount: null, thoughtsTokenCount: null }],
  ])("is counted where only %s is odd", async (_, usageMetadata) => {
    expect(await reported(usageMetadata)).toEqual({ inputTokens: 100, outputTokens: 5 });
  });

  test("may say itself what looks like an odd report", async () => {
    const text = '{"usageMetadata": "x", "promptTokenCount": "5"}';
    expect(await reported(COUNTS, text)).toEqual({ inputTokens: 100, outputTokens: 5 });
  });

  test("without a report, or with an empty one, has none", async () => {
    for (const none of [undefined, null, {}]) {
      expect(await reported(none)).toBeNull();
      upstream.close();
    }
  });
});

describe("an answer of Gemini's in several events", () => {
  const CALL = { functionCall: { name: "look", args: {} } };
  const event = (part: object | null, usageMetadata?: object, finishReason?: string) => ({
    candidates: [{ content: { role: "model", parts: part === null ? [] : [part] }, finishReason }],
    usageMetadata,
  });
  const said = { text: "Hi" };
  const ended = (usageMetadata?: object) => event({ text: "" }, usageMetadata, "STOP");
  const counts = (prompt?: number | null, written?: number | null, thought?: number | null) => ({
    ...(prompt === undefined ? {} : { promptTokenCount: prompt }),
    ...(written === undefined ? {} : { candidatesTokenCount: written }),
    ...(thought === undefined ? {} : { thoughtsTokenCount: thought }),
  });
  const usage = { inputTokens: 100, outputTokens: 25, reasoningTokens: 20 };

  async function reportedBy(...list: readonly object[]) {
    upstream = startTestUpstream(events(...list));
    const answer = await callOf(upstream.provider(createGoogleProvider));
    const finish = Array.isArray(answer) ? answer.at(-1) : null;
    return finish?.type === "finish" ? finish.usage : undefined;
  }

  test.each<[string, object[]]>([
    ["the output", [event(said, counts(100, 5, 20)), ended(counts(100, undefined, 20))]],
    ["the thoughts", [event(said, counts(100, 3, 20)), ended(counts(100, 5))]],
    ["the prompt", [event(said, counts(100, 3, 20)), ended(counts(undefined, 5, 20))]],
    ["all of them", [event(said, counts(100, 5, 20)), ended({})]],
    ["their numbers", [event(said, counts(100, 5, 20)), ended(counts(null, null, null))]],
    ["a report", [event(said, counts(100, 5, 20)), ended()]],
  ])("keeps its counts where its last event leaves out %s", async (_, list) => {
    expect(await reportedBy(...list)).toEqual(usage);
  });

  test("keeps what was cached and what was spoken", async () => {
    const details = { promptTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }] };
    const first = { ...counts(100, 5), cachedContentTokenCount: 40, ...details };
    expect(await reportedBy(event(said, first), ended(counts(100, 6)))).toEqual({
      ...{ inputTokens: 100, outputTokens: 6, cachedInputTokens: 40, audioInputTokens: 30 },
    });
  });

  test("counts as its last report says, also where that is less", async () => {
    const list = [event(said, counts(8, 20, 419)), event(null, counts(8)), event(said, counts(427, 16, 28))];
    expect(await reportedBy(...list, ended(counts(427, 12, 28)))).toEqual({
      ...{ inputTokens: 427, outputTokens: 40, reasoningTokens: 28 },
    });
  });

  test.each<[string, object[]]>([
    ["its words", [event(said), ended(counts(100))]],
    ["its calls", [event(CALL), ended(counts(100))]],
    ["anything but a total", [event(said), ended({ totalTokenCount: 125 })]],
    ["anything but a total of nothing said", [ended({ totalTokenCount: 125 })]],
    ["what it went on to say", [event(said, counts(100, 5)), event(said, undefined, "STOP")]],
    [
      "what it went on to say after a senseless count",
      [event(said, counts(100, Number.MAX_SAFE_INTEGER)), event(said, undefined, "STOP")],
    ],
    ["what it said at last", [event(said, counts(100, 5)), event(said, counts(100), "STOP")]],
  ])("has no report where no event counts %s", async (_, list) => {
    expect(await reportedBy(...list)).toBeNull();
  });

  async function finished(...list: readonly object[]) {
    upstream = startTestUpstream(events(...list));
    const answer = await callOf(upstream.provider(createGoogleProvider));
    return Array.isArray(answer) ? answer.slice(-2) : [];
  }

  test("that went on after its report has that as the least, and its input", async () => {
    const first = { ...counts(100, 5), cachedContentTokenCount: 40 };
    const input = { inputTokens: 100, cachedInputTokens: 40 };
    expect(await finished(event(said, first, "STOP"), event(said))).toEqual([
      { type: "input", usage: input },
      { type: "finish", reason: "stop", usage: null, usageSoFar: { ...input, outputTokens: 5 } },
    ]);
  });

  test.each<[string, object[]]>([
    ["came before its words", [event(null, counts(100, 5)), event(said, undefined, "STOP")]],
    ["told of no output", [event(said), ended(counts(100))]],
    ["told of no prompt", [event(said, counts(undefined, 5)), event(said, undefined, "STOP")]],
  ])("has no such report where that %s", async (_, list) => {
    const [, finish] = await finished(...list);
    expect(finish).not.toHaveProperty("usageSoFar");
  });

  test.each<[string, object[], object]>([
    ["nothing", [ended(counts(100))], { inputTokens: 100, outputTokens: 0 }],
    [
      "thoughts alone",
      [event({ text: "Hm", thought: true }), ended(counts(100, undefined, 20))],
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20 },
    ],
    [
      "words beside thoughts, of which only these have a count",
      [event(said, counts(100, undefined, 20)), ended(counts(100, undefined, 20))],
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20 },
    ],
    [
      "calls alone",
      [event(CALL, counts(100, 5)), ended(counts(100, 5))],
      { inputTokens: 100, outputTokens: 5 },
    ],
    [
      "words that are counted later",
      [event(said), ended(counts(100, 5))],
      { inputTokens: 100, outputTokens: 5 },
    ],
    [
      "words that count as nothing",
      [event(said, counts(100, 0), "STOP")],
      { inputTokens: 100, outputTokens: 0 },
    ],
  ])("that says %s is counted as it was", async (_, list, expected) => {
    expect(await reportedBy(...list)).toEqual(expected as never);
  });
});
