import { describe, expect, test } from "bun:test";
import { writePage } from "../page-writer.ts";
import { cutLines } from "./cut.ts";
import { findGutters } from "./gutter.ts";
import { createPieces } from "./pieces.ts";

function write(text: string, thinsGutters: boolean): string {
  const page = cutLines(createPieces(), text);
  if (page === null) throw new Error("this text has few lines");
  findGutters(page);
  return writePage({ page, replacements: [], thinsGutters, may: () => true, actions: new Set() });
}

const numbered = (first: number, lines: readonly string[], sign = "→") =>
  lines.map((line, at) => `${String(first + at).padStart(6)}${sign}${line}`).join("\n");

describe("the padding of gutters", () => {
  test.each(["→", "\t"])("is removed from numbers followed by %j", (sign) => {
    const shown = write(`head\n${numbered(8, ["  a", "", "\tb"], sign)}\ntail`, false);
    expect(shown).toBe(`head\n8${sign}  a\n9${sign}\n10${sign}\tb\ntail`);
  });

  test.each([
    ["two lines", "  1→a\n  2→b"],
    ["numbers that are not consecutive", "  1→a\n  3→b\n  5→c"],
    ["numbers that are not aligned", " 1→a\n   2→b\n  3→c"],
    ["lists", "  1. a\n  2. b\n  3. c"],
    ["times", "  9:15 a\n 10:15 b\n 11:15 c"],
    ["leading zeros", " 01→a\n 02→b\n 03→c"],
    ["counts without padding", "1 a\n2 b\n3 c"],
    ["other words", "  a→1\n  b→2\n  c→3"],
    ["keys of a map", "codes:\n    400: a\n    401: b\n    402: c\n    403: d"],
    ["rows of numbers", "A = [\n    10 0 1\n    11 0 2\n    12 0 3\n]"],
    ["keys that are right-aligned", "codes = {\n   98: 'a',\n   99: 'b',\n  100: 'c',\n}"],
    ["columns of fixed width", "      8 C1  0.1 C.ar\n      9 C2  1.2 C.ar\n     10 C3  2.3 C.ar"],
    ["rows of a query", "  id | name\n-----+-----\n  98 | a\n  99 | b\n 100 | c"],
    ["keys that grow at one indent", "  9: a\n  10: b\n  11: c"],
    ["indented ids of a table", "  97|a|1\n  98|b|2\n  99|c|3"],
    ["ids below the head of a table", "    id\tname\n     8\ta\n     9\tb\n    10\tc"],
  ])("stays in %s", (_, text) => {
    expect(write(text, false)).toBe(text);
  });
});

test("a change on an agent's screen has a gutter, but a copy without the screen's sign has none", () => {
  const change = ["Updated a.ts with 1 addition", "     95  a", "     96  b", "     97 +c"];
  expect(write(`  ⎿  ${change.join("\n")}`, false)).toBe(
    "  ⎿  Updated a.ts with 1 addition\n95  a\n96  b\n97 +c",
  );
  expect(write(change.join("\n"), false)).toBe(change.join("\n"));
});

test("a listing after more than a few lines of prose is no gutter", () => {
  const listing = numbered(8, ["a", "b", "c"]);
  const words = (count: number) => "Some words.\n".repeat(count);
  expect(write(words(6) + listing, false)).toBe(`${words(6)}8→a\n9→b\n10→c`);
  expect(write(words(7) + listing, false)).toBe(words(7) + listing);
});

test("a long line counts as one line, however many members it is cut into", () => {
  const listing = numbered(8, ["a", "b", "c"]);
  const problems = Array.from({ length: 80 }, (_, line) => ({ severity: "warning", line }));
  const page = cutLines(createPieces(), `${listing}\n${JSON.stringify(problems)}`, true);
  expect(page?.end).toBeGreaterThan(80);
  expect(page && findGutters(page)).toBe(3);
});

describe("a colon and a blank behind unpadded numbers", () => {
  const code = ["export function go() {", "  return 1;", "}", "", "go();", "", "// and", "//", "", "go();"];
  const written = (lines: readonly string[]) => lines.map((line, at) => `${at + 1}: ${line}`).join("\n");

  test("are a gutter before the lines of a file, also with something above them", () => {
    expect(write(`<content>\n${written(code)}\n</content>`, true)).toBe(
      "<content>\n§lines 1-10, every 5th numbered\nexport function go() {\n  return 1;\n}\n\n5: go();\n\n// and\n//\n\n10: go();\n</content>",
    );
  });

  test.each([
    ["few lines", written(code.slice(0, 9))],
    ["a list", written(code.map((_, at) => `item ${at}`))],
    ["indented keys", written(code).replaceAll(/^/gm, "  ")],
    ["lines without the blank", written(code).replaceAll(": ", ":")],
    ["a line with a number and a colon of its own", written(code.with(4, "7: seven"))],
  ])("stay in %s", (_, text) => {
    expect(write(text, true)).toBe(text);
  });
});

describe("thinned gutters", () => {
  const lines = Array.from({ length: 12 }, (_, at) => (at === 3 ? "5 → x" : `line ${at}`));

  test("show their range, and every fifth number", () => {
    expect(write(`head\n${numbered(2, lines)}\ntail`, true).split("\n")).toEqual([
      "head",
      "§lines 2-13, every 5th numbered",
      "line 0",
      "line 1",
      "line 2",
      "5→5 → x",
      "line 4",
      "line 5",
      "line 6",
      "line 7",
      "10→line 8",
      "line 9",
      "line 10",
      "line 11",
      "tail",
    ]);
  });

  test.each([
    ["has a number with the same sign", "8→x"],
    ["has a number after blanks", "  8→"],
  ])("are not made if a line %s", (_, said) => {
    expect(write(numbered(1, lines.with(7, said)), true)).toStartWith("1→line 0\n2→line 1\n");
  });

  test("are not made of a few lines", () => {
    expect(write(numbered(1, lines.slice(0, 9)), true)).toStartWith("1→line 0\n2→line 1\n");
  });
});
