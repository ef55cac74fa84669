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

describe("an answer of Gemini", () => {
  test.each<[string, unknown]>([
    ["a string as the prompt count", { ...COUNTS, promptTokenCount: "100" }],
    ["a string as the output count", { ...COUNTS, candidatesTokenCount: "5" }],
    ["a string as the cache count", { ...COUNTS, cachedContentTokenCount: "5" }],
    ["a string as the thoughts count", { ...COUNTS, thoughtsTokenCount: "5" }],
    ["a negative prompt count", { ...COUNTS, promptTokenCount: -5, toolUsePromptTokenCount: 100 }],
    ["fractional counts", { ...COUNTS, promptTokenCount: 10.5, toolUsePromptTokenCount: 0.5 }],
    ["an array as a count", { ...COUNTS, candidatesTokenCount: [5] }],
    ["a null prompt count", { ...COUNTS, promptTokenCount: null }],
    ["no prompt count", { candidatesTokenCount: 5, totalTokenCount: 105 }],
    ["a string instead of an object", "many"],
    ["an array instead of an object", [100, 5]],
  ])("is delivered with unusable usage if its report has %s", async (_, usageMetadata) => {
    const usage = await reported(usageMetadata);
    expect(usage).not.toBeNull();
    expect(Object.values(usage ?? {}).some((count) => !(Number(count) >= 0))).toBe(true);
  });

  test.each<[string, unknown]>([
    ["the total, which is not used", { ...COUNTS, totalTokenCount: "105" }],
    ["the list of prompt details", { ...COUNTS, promptTokensDetails: "TEXT" }],
    [
      "a count in the prompt details",
      { ...COUNTS, promptTokensDetails: [{ modality: "TEXT", tokenCount: "100" }] },
    ],
    [
      "a modality in the prompt details",
      { ...COUNTS, promptTokensDetails: [{ modality: null, tokenCount: "100" }, null] },
    ],
    ["an optional count (null)", { ...COUNTS, cachedContentTokenCount: null, thoughtsTokenCount: null }],
  ])("is counted normally if only %s is malformed", async (_, usageMetadata) => {
    expect(await reported(usageMetadata)).toEqual({ inputTokens: 100, outputTokens: 5 });
  });

  test("may contain text that looks like a malformed report", async () => {
    const text = '{"usageMetadata": "x", "promptTokenCount": "5"}';
    expect(await reported(COUNTS, text)).toEqual({ inputTokens: 100, outputTokens: 5 });
  });

  test("without a report, or with an empty one, has null usage", async () => {
    for (const none of [undefined, null, {}]) {
      expect(await reported(none)).toBeNull();
      upstream.close();
    }
  });
});

describe("an answer of Gemini in several events", () => {
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
    ["all of them (null)", [event(said, counts(100, 5, 20)), ended(counts(null, null, null))]],
    ["the report", [event(said, counts(100, 5, 20)), ended()]],
  ])("keeps its earlier counts if its last event leaves out %s", async (_, list) => {
    expect(await reportedBy(...list)).toEqual(usage);
  });

  test("keeps the cached and audio counts of an earlier report", async () => {
    const details = { promptTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }] };
    const first = { ...counts(100, 5), cachedContentTokenCount: 40, ...details };
    expect(await reportedBy(event(said, first), ended(counts(100, 6)))).toEqual({
      ...{ inputTokens: 100, outputTokens: 6, cachedInputTokens: 40, audioInputTokens: 30 },
    });
  });

  test("is counted by its last report, even if that is lower", async () => {
    const list = [event(said, counts(8, 20, 419)), event(null, counts(8)), event(said, counts(427, 16, 28))];
    expect(await reportedBy(...list, ended(counts(427, 12, 28)))).toEqual({
      ...{ inputTokens: 427, outputTokens: 40, reasoningTokens: 28 },
    });
  });

  test.each<[string, object[]]>([
    ["its text", [event(said), ended(counts(100))]],
    ["its calls", [event(CALL), ended(counts(100))]],
    ["anything but a total", [event(said), ended({ totalTokenCount: 125 })]],
    ["anything but a total, without any text", [ended({ totalTokenCount: 125 })]],
    ["the text after a report", [event(said, counts(100, 5)), event(said, undefined, "STOP")]],
    [
      "the text after an absurd report",
      [event(said, counts(100, Number.MAX_SAFE_INTEGER)), event(said, undefined, "STOP")],
    ],
    ["its last text", [event(said, counts(100, 5)), event(said, counts(100), "STOP")]],
  ])("has null usage if no event counts %s", async (_, list) => {
    expect(await reportedBy(...list)).toBeNull();
  });

  async function finished(...list: readonly object[]) {
    upstream = startTestUpstream(events(...list));
    const answer = await callOf(upstream.provider(createGoogleProvider));
    return Array.isArray(answer) ? answer.slice(-2) : [];
  }

  test("that goes on after its report has null usage, and that report as input and usageSoFar", async () => {
    const first = { ...counts(100, 5), cachedContentTokenCount: 40 };
    const input = { inputTokens: 100, cachedInputTokens: 40 };
    expect(await finished(event(said, first, "STOP"), event(said))).toEqual([
      { type: "input", usage: input },
      { type: "finish", reason: "stop", usage: null, usageSoFar: { ...input, outputTokens: 5 } },
    ]);
  });

  test.each<[string, object[]]>([
    ["came before its text", [event(null, counts(100, 5)), event(said, undefined, "STOP")]],
    ["has no output count", [event(said), ended(counts(100))]],
    ["has no prompt count", [event(said, counts(undefined, 5)), event(said, undefined, "STOP")]],
  ])("has no usageSoFar if its report %s", async (_, list) => {
    const [, finish] = await finished(...list);
    expect(finish).not.toHaveProperty("usageSoFar");
  });

  test.each<[string, object[], object]>([
    ["no output", [ended(counts(100))], { inputTokens: 100, outputTokens: 0 }],
    [
      "only thoughts",
      [event({ text: "Hm", thought: true }), ended(counts(100, undefined, 20))],
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20 },
    ],
    [
      "text and thoughts of which only the thoughts are counted",
      [event(said, counts(100, undefined, 20)), ended(counts(100, undefined, 20))],
      { inputTokens: 100, outputTokens: 20, reasoningTokens: 20 },
    ],
    [
      "only calls",
      [event(CALL, counts(100, 5)), ended(counts(100, 5))],
      { inputTokens: 100, outputTokens: 5 },
    ],
    [
      "text that is counted later",
      [event(said), ended(counts(100, 5))],
      { inputTokens: 100, outputTokens: 5 },
    ],
    [
      "text that is counted as zero",
      [event(said, counts(100, 0), "STOP")],
      { inputTokens: 100, outputTokens: 0 },
    ],
  ])("with %s is counted as reported", async (_, list, expected) => {
    expect(await reportedBy(...list)).toEqual(expected as never);
  });
});
