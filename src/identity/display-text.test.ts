import { expect, test } from "bun:test";
import { parseDisplayText } from "./display-text.ts";

const parse = (text: string) => parseDisplayText({ field: "name", text, maxChars: 100 });

test.each([
  "Acme",
  "  Acme  ",
  "Ünïcode & Söhne",
  "👩‍👩‍👧",
  "a".repeat(100),
  "😀".repeat(100),
  "'; drop table",
])("a readable line is taken, trimmed: %p", (text) => {
  expect(parse(text)).toEqual({ outcome: "ok", text: text.trim() });
});

test.each([
  "",
  "   ",
  "a".repeat(101),
  "😀".repeat(101),
  "a\0b",
  "a\nb",
  "a\u001b[31m",
  "a\u2028b",
  "\ud800",
  "\u0085x",
])("what cannot be stored or shown on one line is refused: %p", (text) => {
  expect(parse(text)).toMatchObject({ outcome: "invalid", field: "name" });
});
