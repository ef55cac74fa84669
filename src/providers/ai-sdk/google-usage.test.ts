import { afterEach, describe, expect, test } from "bun:test";
import { createGoogleProvider } from "./google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const COUNTS = { promptTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105 };

/** The usage at the end of an answer with this report on it. */
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
