import { describe, expect, test } from "bun:test";
import { reportWithoutCompaction } from "./index.ts";

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
