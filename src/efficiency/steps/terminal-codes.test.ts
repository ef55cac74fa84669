import { describe, expect, test } from "bun:test";
import { stripControlSequences } from "./terminal-codes.ts";

describe("stripControlSequences", () => {
  test.each([
    ["colours", "\x1b[1;32mok\x1b[0m done", "ok done"],
    ["cursor moves", "a\x1b[2K\x1b[1Gb", "ab"],
    ["titles, ended either way", "\x1b]0;title\x07a\x1b]2;other\x1b\\b", "ab"],
    ["links", "\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["choices of characters", "\x1b(Bplain", "plain"],
    ["single letters", "\x1bMup\x1b7", "up"],
  ])("drops %s", (_, text, plain) => {
    expect(stripControlSequences(text)).toBe(plain);
  });

  test.each([
    "\x1b",
    "a\x1b[",
    "\x1b[12",
    "\x1b]0;never closed",
    "\x1b]0;closed\nin another line\x07",
    "[31m",
    "",
  ])("leaves %j, which is no whole sequence", (text) => {
    expect(stripControlSequences(text)).toBe(text);
  });
});
