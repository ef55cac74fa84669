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
  "ශ්\u200dරී ලංකා",
  "ကျော်",
])("a readable line is accepted and trimmed: %p", (text) => {
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
  "\u200f\u200b\u200e",
  "a\u200eb",
  "a\u2060b",
  "a\u202ecba",
  "\u2066a\u2069",
  "\u00ad",
  "\u200da",
  "a\u200d",
  "க்\u200d",
  "a \u200d b",
  "a\u200d\u200db",
  "a\u{e0067}\u{e007f}",
  "\u3164",
  "\u2800 \u2800",
  "\u0301",
  "\ufe0f",
])("text that cannot be stored or shown on one line is refused: %p", (text) => {
  expect(parse(text)).toMatchObject({ outcome: "invalid", field: "name" });
});

test.each([
  ["Khmer between words", "ភាសា\u200bខ្មែរ", "ភាសាខ្មែរ"],
  ["a soft hyphen", "co\u00adop", "coop"],
  ["direction marks at the edges", " \u200fשלום\u200f ", "שלום"],
  ["a joiner that joins nothing", "مہ\u200c و می\u200cخواهم\u200c", "مہ و می\u200cخواهم"],
  ["Malayalam in its older spelling", "മോഹന്\u200dലാല്\u200d അനില്\u200d കുമാര്\u200d", "മോഹൻലാൽ അനിൽ കുമാർ"],
  ["every other such letter of Malayalam", "ക്\u200d ണ്\u200d ള്\u200d", "ൿ ൺ ൾ"],
  ["Bengali in its older spelling", "সত্\u200d", "সৎ"],
])("invisible characters are removed, so that names that look alike are the same: %s", (_, given, kept) => {
  expect(parse(given)).toEqual({ outcome: "ok", text: kept });
  expect(parse(kept)).toEqual({ outcome: "ok", text: kept });
});
