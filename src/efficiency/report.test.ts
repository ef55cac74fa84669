import { describe, expect, test } from "bun:test";
import { estimateChatTokens, estimateTokens, reportWithoutCompaction } from "./index.ts";

describe("estimateChatTokens", () => {
  test("counts text, tool calls and reasoning, and leaves pictures and files to the catalog", () => {
    const text = "Where is the harbour?";
    const asText = estimateChatTokens([{ content: text }]);
    const asParts = estimateChatTokens([{ content: [{ type: "text", text }, { type: "image" }] }]);
    expect(asParts).toBe(asText);
    const withCall = estimateChatTokens([
      { content: null, toolCalls: [{ name: "look_up", arguments: text }], reasoning: [{ text }] },
    ]);
    expect(withCall - asText).toBe(estimateTokens("look_up") + estimateTokens(text));
  });

  test("grows with every message, even an empty one", () => {
    const one = estimateChatTokens([{ content: "" }]);
    expect(one).toBeGreaterThan(0);
    expect(estimateChatTokens([{ content: "" }, { content: "" }])).toBeGreaterThan(one);
  });
});

describe("reportWithoutCompaction", () => {
  test("claims no saving where nothing was compacted", () => {
    expect(reportWithoutCompaction(42)).toEqual({
      originalEstimatedTokens: 42,
      compactedEstimatedTokens: 42,
      tokensSaved: 0,
      actions: [],
    });
  });
});
