import { expect, test } from "bun:test";
import { compact, reportCompaction, reportWithoutCompaction } from "./index.ts";

test("a report claims no saving where nothing was compacted", () => {
  expect(reportWithoutCompaction(42)).toEqual({
    originalEstimatedTokens: 42,
    compactedEstimatedTokens: 42,
    tokensSaved: 0,
    actions: [],
  });
});

test("a report says what the messages were shortened by, on top of what stays", () => {
  const content = Array.from({ length: 40 }, (_, at) => `${String(at + 1).padStart(6)}→line`).join("\n");
  const compaction = compact([{ role: "tool", toolCallId: "", content }], {
    level: "safe",
    references: true,
  });
  const report = reportCompaction(compaction, 100);
  expect(report.tokensSaved).toBeGreaterThan(20);
  expect(report.originalEstimatedTokens - report.compactedEstimatedTokens).toBe(report.tokensSaved);
  expect(report.originalEstimatedTokens).toBe(compaction.originalTokens + 100);
  expect(report.actions).toEqual(["gutter_padding"]);
});
