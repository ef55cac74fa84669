import { describe, expect, test } from "bun:test";
import { stripControlSequences } from "./terminal-codes.ts";

describe("stripControlSequences", () => {
  test.each([
    ["colours", "\x1b[1;32mok\x1b[0m done", "ok done"],
    ["erasures", "a\x1b[2K\x1b[Jb", "ab"],
    ["settings", "a\x1b[?25l\x1b[>4;2m\x1b[2 qb", "ab"],
    ["titles, ended either way", "\x1b]0;title\x07a\x1b]2;other\x1b\\b", "ab"],
    [
      "links to the URL in their label",
      "\x1b]8;;https://a.org\x1b\\https://a.org/b\x1b]8;;\x1b\\",
      "https://a.org/b",
    ],
    ["character set selections", "\x1b(Bplain", "plain"],
    ["codes of a single letter", "\x1bMup\x1b7", "up"],
  ])("drops %s", (_, text, plain) => {
    expect(stripControlSequences(text)).toBe(plain);
  });

  test.each([
    ["to the right", "web-0\x1b[6C10\x1b[C200", "web-0      10 200"],
    ["far to the right", "a\x1b[99999999999Cb", `a${" ".repeat(200)}b`],
    ["to the start of the line", "a\x1b[1Gb\x1b[Gc\x1b[0Gd", "a\rb\rc\rd"],
    ["to a column", "disk0\x1b[20G11", "disk0 11"],
    ["to a place", "disk0\x1b[2;20H0\x1b[3;1fdisk1", "disk0\n0\ndisk1"],
    ["to another line", "a\x1b[Eb\x1b[2Bc\x1bEd\x1b7\x1b8e", "a\nb\nc\nd\ne"],
    ["to a tab stop", "a\x1b[Ib", "a\tb"],
  ])("turns moves %s into white space", (_, text, plain) => {
    expect(stripControlSequences(text)).toBe(plain);
  });

  test("keeps moves back and up, which nothing could replace", () => {
    const text = "count 1\x1b[8Dcount 2\x1b[1Aup\x1b[Fup\x1b[Zback\x1b[9b";
    expect(stripControlSequences(text)).toBe(text);
  });

  test.each([
    ["words", "timeout: \x1b[31m30\x1b[m\x1b[32m60\x1b[m s", "timeout: 30 60 s"],
    ["percentages", "\x1b[1;31m30%\x1b[m\x1b[1;32m60%\x1b[m", "30% 60%"],
    ["numbers of a digit", "\x1b[33m1\x1b[m\x1b[34m2\x1b[m", "1 2"],
    ["removed and added letters", "\x1b[31mx\x1b[m\x1b[32my\x1b[m = 1", "x y = 1"],
    ["a letter and a word", "\x1b[33ma\x1b[m\x1b[34mnew\x1b[m, \x1b[33mold\x1b[34mb\x1b[m", "a new, old b"],
    ["words of a palette", "\x1b[38;5;9mold\x1b[38;5;10mnew\x1b[0m", "old new"],
  ])("separates %s that only their colours separated", (_, text, plain) => {
    expect(stripControlSequences(text)).toBe(plain);
  });

  test.each([
    ["a match inside a word", "foo\x1b[1;31mbar\x1b[mbaz", "foobarbaz"],
    ["parts of one colour", "\x1b[31mfoo\x1b[m\x1b[1;31mbar\x1b[m", "foobar"],
    ["signs around a word", "\x1b[36msrc\x1b[33m:\x1b[35m12", "src:12"],
    ["backgrounds", "\x1b[48;5;32mfoo\x1b[48;2;3;31;32mbar\x1b[49m", "foobar"],
    ["bars", "\x1b[31m██\x1b[32m██", "████"],
    ["the two letters of git status", "\x1b[32mM\x1b[m\x1b[31mM\x1b[m a.go", "MM a.go"],
    [
      "the permissions of a file",
      ".\x1b[1;33mr\x1b[31mw\x1b[4;32mx\x1b[0;33mr\x1b[90m-\x1b[32mx\x1b[0m \x1b[1;33mr\x1b[31mw\x1b[0m",
      ".rwxr-x rw",
    ],
  ])("adds no blank to %s", (_, text, plain) => {
    expect(stripControlSequences(text)).toBe(plain);
  });

  test.each([
    ["ended", "see \x1b]8;;https://a.org/1\x1b\\the docs\x1b]8;;\x1b\\!", "see the docs (https://a.org/1)!"],
    ["with a name", "\x1b]8;id=1;https://a.org\x07a\x1b]8;;\x07", "a (https://a.org)"],
    [
      "ended by the next one",
      "\x1b]8;;https://a.org\x07a\x1b]8;;https://b.org\x07b\x1b]8;;\x07",
      "a (https://a.org)b (https://b.org)",
    ],
    ["never ended", "\x1b]8;;https://a.org\x07a", "a (https://a.org)"],
    ["with no label", "\x1b]8;;https://a.org\x07\x1b]8;;\x07a", "a"],
  ])("keeps the URL of a link, %s", (_, text, plain) => {
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
  ])("keeps %j, which is no complete sequence", (text) => {
    expect(stripControlSequences(text)).toBe(text);
  });
});
