import { describe, expect, test } from "bun:test";
import { isDataUrl, readDataUrl } from "./data-url.ts";

describe("a data URL", () => {
  test.each([
    ["data:image/png;base64,AAAA", "image/png", true, "AAAA"],
    ["DATA:Image/PNG;Base64,AAAA", "image/png", true, "AAAA"],
    ["data:;base64,AA", "", true, "AA"],
    ["data:,a,b", "", false, "a,b"],
    ["data:text/plain;charset=utf-8,a%20b", "text/plain", false, "a%20b"],
    ["data:application/pdf;name=a.pdf;base64,", "application/pdf", true, ""],
    ["data:text/plain;base64;charset=utf-8,a", "text/plain", false, "a"],
    ["data:base64,a", "base64", false, "a"],
    [`data:a/b;name=${"n".repeat(900)};base64,AA`, "a/b", true, "AA"],
  ])("%s is read", (url, mediaType, isBase64, carried) => {
    const read = readDataUrl(url);
    expect(read).toMatchObject({ mediaType, isBase64 });
    expect(url.slice(read?.start)).toBe(carried);
    expect(isDataUrl(url)).toBe(true);
  });

  test.each([
    ["", false],
    ["data", false],
    ["AAAA", false],
    ["https://example.com/a,b", false],
    [" data:,a", false],
    ["data:image/png;base64", true],
    [`data:${"a".repeat(2_000)},AA`, true],
  ])("%s is not read", (url, begins) => {
    expect(readDataUrl(url)).toBeNull();
    expect(isDataUrl(url)).toBe(begins);
  });

  test.each(["a", ";", ",", "data:", ";base64"])("is read no further than its head: %s", (unit) => {
    const url = `data:${unit.repeat(200_000)}`;
    const startedMs = performance.now();
    for (let round = 0; round < 1_000; round++) readDataUrl(url);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });
});
