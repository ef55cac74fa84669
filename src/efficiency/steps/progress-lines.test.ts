import { describe, expect, test } from "bun:test";
import { stripProgress } from "./progress-lines.ts";

describe("stripProgress", () => {
  test("leaves of a progress bar what a screen would show", () => {
    expect(stripProgress("start\n10 %\r50 %\r100 %\nend")).toBe("start\n100 %\nend");
    expect(stripProgress("10 %\r99 %\r100 %\r\nend")).toBe("100 %\r\nend");
  });

  test("leaves states that the last one does not hide", () => {
    expect(stripProgress("a long line\rshort")).toBe("a long line\rshort");
  });

  test("leaves the breaks of lines, of every kind", () => {
    expect(stripProgress("one\r\ntwo\r\n")).toBe("one\r\ntwo\r\n");
    expect(stripProgress("a long first line\rsecond")).toBe("a long first line\rsecond");
    expect(stripProgress("")).toBe("");
  });
});
