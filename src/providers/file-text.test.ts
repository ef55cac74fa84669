import { describe, expect, test } from "bun:test";
import type { FilePart } from "./contract.ts";
import { textOfFile } from "./file-text.ts";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const wordsOf = (part: Omit<FilePart, "type">) => textOfFile({ type: "file", ...part })?.read() ?? null;

describe("the words of a file", () => {
  test.each([
    ["by its data URL", { data: `data:text/plain;base64,${base64("abc")}` }],
    ["in capitals, with parameters", { data: `data:Text/CSV;charset=utf-8;base64,${base64("abc")}` }],
    ["as JSON", { data: `data:application/json;base64,${base64("abc")}` }],
    ["by its name", { data: base64("abc"), filename: "a.md" }],
    [
      "by its name before the data URL",
      { data: `data:application/pdf;base64,${base64("abc")}`, filename: "a.txt" },
    ],
    ["by its type", { data: base64("abc"), mediaType: "text/html" }],
    ["written out", { data: "data:text/plain,a%62c" }],
    ["as a program", { data: `data:application/x-javascript;base64,${base64("abc")}` }],
    ["between tags", { data: `data:application/xml;base64,${base64("abc")}` }],
    ["without empty bytes", { data: `data:text/plain;base64,${base64("a\0b\0c\0")}` }],
  ])("are read: %s", (_how, part) => {
    expect(wordsOf(part)).toBe("abc");
  });

  test.each([
    ["a link", { data: "https://example.com/a.txt", filename: "a.txt" }],
    ["a document", { data: `data:application/pdf;base64,${base64("abc")}` }],
    ["bytes alone", { data: base64("abc") }],
    ["sound", { data: base64("abc"), mediaType: "audio/wav" }],
    ["a document of a word processor", { data: "data:application/vnd.openxmlformats;base64,AAAA" }],
    [
      "a document by its name before the data URL",
      { data: `data:text/plain;base64,${base64("abc")}`, filename: "a.pdf" },
    ],
    ["bytes under no name", { data: `data:;base64,${base64("abc")}` }],
  ])("are none: %s", (_what, part) => {
    expect(wordsOf(part)).toBeNull();
  });

  test("are counted whatever they begin with: they are sent", () => {
    expect(wordsOf({ data: base64("%PDF-1.4"), filename: "a.txt" })).toBe("%PDF-1.4");
    expect(wordsOf({ data: base64("\0words"), mediaType: "text/csv" })).toBe("words");
  });

  test("are as they stand where they are badly written out", () => {
    expect(wordsOf({ data: "data:text/plain,100%" })).toBe("100%");
  });

  test("are no more than was said before they were read", () => {
    const data = `data:text/plain;base64,${Buffer.from("grüezi").toString("base64")}`;
    expect(textOfFile({ type: "file", data })?.bytes).toBeWithin(7, 10);
    expect(textOfFile({ type: "file", data: "data:text/plain,abc" })?.bytes).toBe(3);
  });
});
