import { expect, test } from "bun:test";
import { visible } from "./visible.ts";

const plain = { colors: false };

test.each([
  ["a window title", "\u001b]0;mine\u0007", "\\u001b]0;mine\\u0007"],
  ["a cleared screen", "\u001b[2J", "\\u001b[2J"],
  ["a colour", "\u001b[31mred", "\\u001b[31mred"],
  ["an overwritten line", "good\rbad", "good\\u000dbad"],
  ["the C1 escape", "\u009b2J", "\\u009b2J"],
  ["reversed text", "a\u202etxt.exe", "a\\u202etxt.exe"],
  ["invisible characters", "a\u{e0041}b", "a\\udb40\\udc41b"],
])("control sequences are escaped: %s", (_, text, expected) => {
  expect(visible(text, plain)).toBe(expected);
});

test("line breaks, tabs, emoji and our own colours stay", () => {
  const text = "a\tb\nZürich 日本 👩\u200d👩\u200d👧";
  expect(visible(text, plain)).toBe(text);
  expect(visible("\u001b[1mbold\u001b[0m \u001b[8mhidden", { colors: true })).toBe(
    "\u001b[1mbold\u001b[0m \\u001b[8mhidden",
  );
});

test("JSON stays JSON with the same meaning", () => {
  const value = { found: "\u001b[2J\u009b\u202e\u{e0041}\u2028 ok" };
  const text = visible(JSON.stringify(value), plain);
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(text)).toEqual(value);
});
