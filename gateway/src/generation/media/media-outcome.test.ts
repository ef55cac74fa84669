import { expect, test } from "bun:test";
import { commonSize, joinedReport } from "./media-outcome.ts";

const usage = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } });

test("the usage of several calls adds up, and is unknown if one of them does not report it", () => {
  expect(joinedReport([usage(1, 20), usage(3, 40)])).toEqual(usage(4, 60));
  expect(joinedReport([usage(1, 20), {}])).toEqual({});
  expect(joinedReport([])).toEqual({});
});

test("a quality is that of all calls", () => {
  expect(joinedReport([{ quality: "high" }, { quality: "high" }])).toEqual({ quality: "high" });
  expect(joinedReport([{ quality: "high" }, { quality: "low" }])).toEqual({});
  expect(joinedReport([{}, { quality: "low" }])).toEqual({});
});

test("a size is that of all images", () => {
  const [small, large] = [
    { width: 3, height: 2 },
    { width: 6, height: 4 },
  ];
  expect(commonSize([small, small])).toBe("3x2");
  expect(commonSize([small, large])).toBeUndefined();
});
