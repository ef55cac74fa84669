import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { believableUsage, type ReportedTokens } from "./believable-usage.ts";
import { textCost } from "./cost.ts";
import { modelFrom, TEXT_ENTRY } from "./testing.ts";

const model = modelFrom({ type: "text", price: TEXT_ENTRY.price });
const estimate = {
  inputTokens: 70,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 7,
  reasoningTokens: 0,
};
const judge = (reported: ReportedTokens | null, n = 1) =>
  believableUsage({ reported, model, n, estimate: () => estimate });

describe("reported usage", () => {
  test("that is plausible is used as reported, with absent parts as 0", () => {
    expect(judge({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 })).toEqual({
      source: "reported",
      usage: {
        inputTokens: 10,
        cachedInputTokens: 4,
        cacheWriteTokens: 0,
        outputTokens: 5,
        reasoningTokens: 0,
      },
    });
  });

  test("keeps the count of audio input tokens", () => {
    const reported = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, audioInputTokens: 6 };
    expect(judge(reported)).toMatchObject({ source: "reported", usage: { audioInputTokens: 6 } });
  });

  test("keeps the counts that are only shown", () => {
    const unpriced = { audio: 3, acceptedPrediction: 2, rejectedPrediction: 1 };
    expect(judge({ inputTokens: 10, outputTokens: 5, unpriced })).toMatchObject({
      source: "reported",
      usage: { unpriced },
    });
  });

  test("of 0 tokens is believed", () => {
    expect(judge({ inputTokens: 0, outputTokens: 0 })).toMatchObject({
      source: "reported",
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  test("that is missing is replaced by the estimate and marked as unreported", () => {
    expect(judge(null)).toEqual({ source: "unreported", usage: estimate });
  });

  test("up to the model's context and its output limit per answer is believed", () => {
    expect(judge({ inputTokens: 128_000, outputTokens: 8192 * 2 }, 2).source).toBe("reported");
  });

  test("may be twice the output limit if the model reasons beyond that limit, but not more", () => {
    const thinking = modelFrom(
      { type: "text", price: TEXT_ENTRY.price, capabilities: ["reasoning"] },
      { thinksBeyondLimit: () => true },
    );
    const sourceOf = (outputTokens: number) =>
      believableUsage({
        reported: { inputTokens: 1, outputTokens },
        model: thinking,
        n: 1,
        estimate: () => estimate,
      }).source;
    expect([sourceOf(8192 * 2), sourceOf(8192 * 2 + 1)]).toEqual(["reported", "disbelieved"]);
  });

  test("of input is believed up to window_tokens, even if callers may send less", () => {
    const limits = { ...TEXT_ENTRY.limits, window_tokens: 1_000_000 };
    const wide = modelFrom({ type: "text", price: TEXT_ENTRY.price, limits });
    const sourceOf = (inputTokens: number) =>
      believableUsage({
        reported: { inputTokens, outputTokens: 5 },
        model: wide,
        n: 1,
        estimate: () => estimate,
      }).source;
    expect([sourceOf(1_000_000), sourceOf(1_000_001)]).toEqual(["reported", "disbelieved"]);
  });

  test("tells the estimate whether the reported input exceeded the model's window", () => {
    const asked: boolean[] = [];
    const ask = (reported: ReportedTokens | null) =>
      believableUsage({
        reported,
        model,
        n: 1,
        estimate: (isBeyondWindow) => {
          asked.push(isBeyondWindow);
          return estimate;
        },
      });
    ask({ inputTokens: 128_001, outputTokens: 5 });
    for (const other of [null, { inputTokens: 1, outputTokens: 8193 }, { inputTokens: -1, outputTokens: 1 }])
      ask(other);
    expect(asked).toEqual([true, false, false, false]);
  });

  test.each<[string, ReportedTokens]>([
    ["negative", { inputTokens: -1, outputTokens: 5 }],
    ["fractional", { inputTokens: 1, outputTokens: 5.5 }],
    ["NaN", { inputTokens: Number.NaN, outputTokens: 5 }],
    ["a string", { inputTokens: "10", outputTokens: 5 }],
    ["missing one count", { inputTokens: 10, outputTokens: undefined }],
    ["null in one count", { inputTokens: null, outputTokens: 1 }],
    ["1e18", { inputTokens: 1e18, outputTokens: 5 }],
    ["beyond the context", { inputTokens: 128_001, outputTokens: 5 }],
    ["beyond the output limit", { inputTokens: 1, outputTokens: 8193 }],
    [
      "contradictory: more cached tokens than input",
      { inputTokens: 5, cachedInputTokens: 6, outputTokens: 5 },
    ],
    [
      "contradictory: more cached and cache-written tokens than input",
      { inputTokens: 5, cachedInputTokens: 3, cacheWriteTokens: 3, outputTokens: 5 },
    ],
    [
      "contradictory: more audio and cached tokens than input",
      { inputTokens: 5, cachedInputTokens: 3, audioInputTokens: 3, outputTokens: 5 },
    ],
    ["contradictory: more reasoning than output", { inputTokens: 5, outputTokens: 5, reasoningTokens: 6 }],
  ])("that is %s is disbelieved as a whole and replaced by the estimate", (_, reported) => {
    expect(judge(reported)).toEqual({ source: "disbelieved", usage: estimate });
  });

  test("of any kind always leads to a cost of at least 1 credit", () => {
    fc.assert(
      fc.property(
        fc.record({
          inputTokens: fc.anything(),
          outputTokens: fc.anything(),
          cachedInputTokens: fc.oneof(fc.anything(), fc.nat(10)),
          reasoningTokens: fc.oneof(fc.anything(), fc.nat(10)),
        }),
        (reported) => {
          expect(textCost({ model, usage: judge(reported).usage, n: 1 })).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});
