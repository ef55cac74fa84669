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
  "❤️‍🔥 and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "می\u200cخواهم",
  "क्\u200dष",
  "שלום",
  "☕",
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
  "\u200b",
  "a\u200bb",
  "a\u202ecba",
  "\u2066a\u2069",
  "a\u00adb",
  "\u200da",
  "a\u200d",
  "a \u200d b",
  "a\u200d\u200db",
  "a\u{e0067}\u{e007f}",
  "\u3164",
  "\u2800 \u2800",
  "\u0301",
  "\ufe0f",
])("what cannot be stored or shown on one line is refused: %p", (text) => {
  expect(parse(text)).toMatchObject({ outcome: "invalid", field: "name" });
});
