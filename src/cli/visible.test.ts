import { expect, test } from "bun:test";
import { visible } from "./visible.ts";

const plain = { colors: false };

test.each([
  ["a title of the window", "\u001b]0;mine\u0007", "\\u001b]0;mine\\u0007"],
  ["a cleared screen", "\u001b[2J", "\\u001b[2J"],
  ["a colour", "\u001b[31mred", "\\u001b[31mred"],
  ["a line written over", "good\rbad", "good\\u000dbad"],
  ["the other escape", "\u009b2J", "\\u009b2J"],
  ["letters that are read backwards", "a\u202etxt.exe", "a\\u202etxt.exe"],
  ["letters that nobody sees", "a\u{e0041}b", "a\\udb40\\udc41b"],
])("%s is written out", (_, text, expected) => {
  expect(visible(text, plain)).toBe(expected);
});

test("lines, columns, emoji and our own colours stay", () => {
  const text = "a\tb\nZürich 日本 👩\u200d👩\u200d👧";
  expect(visible(text, plain)).toBe(text);
  expect(visible("\u001b[1mbold\u001b[0m \u001b[8mhidden", { colors: true })).toBe(
    "\u001b[1mbold\u001b[0m \\u001b[8mhidden",
  );
});

test("what is JSON stays JSON that says the same", () => {
  const value = { found: "\u001b[2J\u009b\u202e\u{e0041}\u2028 ok" };
  const text = visible(JSON.stringify(value), plain);
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(text)).toEqual(value);
});
