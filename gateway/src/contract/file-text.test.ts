import { describe, expect, test } from "bun:test";
import type { FilePart } from "./chat.ts";
import { textOfFile } from "./file-text.ts";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const wordsOf = (part: Omit<FilePart, "type">) => textOfFile({ type: "file", ...part })?.read() ?? null;

describe("the text of a file", () => {
  test.each([
    ["type from the data URL", { data: `data:text/plain;base64,${base64("abc")}` }],
    [
      "data URL in capitals, with parameters",
      { data: `data:Text/CSV;charset=utf-8;base64,${base64("abc")}` },
    ],
    ["JSON", { data: `data:application/json;base64,${base64("abc")}` }],
    ["type from the file name", { data: base64("abc"), filename: "a.md" }],
    [
      "file name takes precedence over the data URL",
      { data: `data:application/pdf;base64,${base64("abc")}`, filename: "a.txt" },
    ],
    ["type from mediaType", { data: base64("abc"), mediaType: "text/html" }],
    ["percent-encoded data URL", { data: "data:text/plain,a%62c" }],
    ["JavaScript", { data: `data:application/x-javascript;base64,${base64("abc")}` }],
    ["XML", { data: `data:application/xml;base64,${base64("abc")}` }],
    ["NUL bytes removed", { data: `data:text/plain;base64,${base64("a\0b\0c\0")}` }],
  ])("is read: %s", (_how, part) => {
    expect(wordsOf(part)).toBe("abc");
  });

  test.each([
    ["a link", { data: "https://example.com/a.txt", filename: "a.txt" }],
    ["a PDF", { data: `data:application/pdf;base64,${base64("abc")}` }],
    ["base64 without a type or name", { data: base64("abc") }],
    ["audio", { data: base64("abc"), mediaType: "audio/wav" }],
    ["a word processor document", { data: "data:application/vnd.openxmlformats;base64,AAAA" }],
    [
      "a PDF by its name, which takes precedence over the data URL",
      { data: `data:text/plain;base64,${base64("abc")}`, filename: "a.pdf" },
    ],
    ["a data URL without a type", { data: `data:;base64,${base64("abc")}` }],
  ])("is null: %s", (_what, part) => {
    expect(wordsOf(part)).toBeNull();
  });

  test("is read whatever bytes it begins with", () => {
    expect(wordsOf({ data: base64("%PDF-1.4"), filename: "a.txt" })).toBe("%PDF-1.4");
    expect(wordsOf({ data: base64("\0words"), mediaType: "text/csv" })).toBe("words");
  });

  test("is taken as written if its percent-encoding is invalid", () => {
    expect(wordsOf({ data: "data:text/plain,100%" })).toBe("100%");
  });

  test("has a size known before it is read, at or slightly above its bytes", () => {
    const data = `data:text/plain;base64,${Buffer.from("grüezi").toString("base64")}`;
    expect(textOfFile({ type: "file", data })?.bytes).toBeWithin(7, 10);
    expect(textOfFile({ type: "file", data: "data:text/plain,abc" })?.bytes).toBe(3);
  });
});
