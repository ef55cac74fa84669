import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../test/fastest.ts";
import { roundsOfRun } from "../../test/rounds-of-run.ts";
import { expand } from "../expand/expand.ts";
import { compact } from "./compact.ts";
import type { ChatMessage, ToolCall } from "./message.ts";

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
/** Half of the size, with half of the time allowed, shows superlinear time just as well. */
const SIZE = isLong ? 132_000 : 66_000;
const LIMIT_MS = SIZE / 130;
const PROGRAMS = SIZE / 2_000;
const OPTIONS = { level: "structural", references: true, fences: true } as const;

const fill = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);
const nested = (open: string, close: string) => open.repeat(SIZE / 2) + close.repeat(SIZE / 2);
const counted = (line: (at: number) => string) =>
  Array.from({ length: SIZE / 20 }, (_, at) => line(at)).join("\n");

const HOSTILE: Record<string, string> = {
  "one character": fill("a"),
  "line breaks": fill("\n"),
  "carriage returns": fill("\r"),
  "states of a bar": fill("10 %\r"),
  "states of a count": fill("row 10 done\r"),
  "states of bars": fill("a |\r"),
  "a state of fractions and signs": `\r${fill("1/1/ - 1:")}`,
  "a state of one long number": `\r${fill("1")}`,
  "a state of percentages": `\r${fill("1% 1.1%|| ")}`,
  "states of many words": `a\n${fill(`${"word ".repeat(50)}1/9\r`)}\nb`,
  ...Object.fromEntries(
    ["1.1.", "-", "1:", "1 s", "1m", "1 a", "word", "time", "eta ", "1a", "1 MB/"].map((unit) => [
      `two states of ${unit}`,
      `a\n5/9 ${fill(unit)}\r6/9 ${fill(unit)}\nb`,
    ]),
  ),
  "escape characters": fill("\x1b"),
  "titles that never end": fill("\x1b]"),
  "parameters that never end": `\x1b[${fill("1;")}`,
  "links that never end": fill("\x1b]8;;https://example.org\x07a"),
  "a link to a long URL": `\x1b]8;;${fill("a")}\x07${fill("a")}\x1b]8;;\x07`,
  "colours that touch": fill("\x1b[31ma\x1b[32mb"),
  "a long name of a colour, and many letters in it": `\x1b[48:5:${fill("1")}m${fill("a\x1b[1m")}`,
  "a colour of many parameters": `\x1b[${fill("38;5;1;")}m${fill("a")}`,
  "moves of the cursor": fill("\x1b[9C\x1b[H"),
  "removed words": `\x1b[36m@@ -1,99999 +1,99999 @@\x1b[m\n${fill("a \x1b[31mb\x1b[m c\n")}`,
  "removed words, with signs of marks": `@@ -1 +1 @@\na \x1b[31mb\x1b[m${fill("[-")}`,
  "removed words, among fences": `@@ -1,99999 +1,99999 @@\n${fill("a\n```ts\n```\nb \x1b[31mc\x1b[m\n")}`,
  "heads of hunks": fill("\x1b[31ma\x1b[m\n@@ -1,99999 +1,99999 @@\n"),
  "a head of a hunk and empty lines": `\x1b[m@@ -1,99999 +1,99999 @@${fill("\n")}`,
  "legends of changes": fill("  \x1b[31mactual\x1b[m \x1b[32mexpected\x1b[m\n"),
  "nested arrays": nested("[", "]"),
  "nested objects": fill('{"a":'),
  "brackets that never close": fill("[{"),
  "an array of empty objects": `[${fill("{},").slice(0, -1)}]`,
  "an object of like objects": `{${counted((at) => `"k${at}":{"a":{"b":{"c":${at}}}},`).replaceAll("\n", "")}"z":{}}`,
  "tables in tables": `[${fill('{"a":[{"b":1,"c":[{"d":1},{"d":2}]},{"b":2,"c":[]}]},').replace(/\},[^}]*$/, "}")}]`,
  "brackets that close a line except for its last character": `[1${fill("]")}x`,
  "tables that are given up at every level": `${'[{"a":'.repeat(30)}1${'},{"a":1}]'.repeat(30)}`,
  "objects in objects, like each other": `${'{"k":{"a":'.repeat(20)}1${'},"l":{"a":2}}'.repeat(20)}`,
  "objects that lack what others have": `[{"a":1},${'{},{"b":1},{"c":[{},{"d":1}]},'.repeat(SIZE / 30)}{}]`,
  "objects with many keys, each its own": `[${counted((at) => `${at % 99 ? "" : "{"}"k${at}":1${at % 99 === 98 ? "}" : ""},`).replaceAll("\n", "")}"z":1}]`,
  "line numbers with a colon": counted((at) => `${at + 1}: ${" ".repeat(at % 3)}a`),
  "line numbers with a letter": counted((at) => `L${at + 1}:  a`),
  "line numbers that start again and again": fill("1 | a\n"),
  "a number of zeros": fill("0"),
  "lines of zeros and blanks": fill("     00001 | \n"),
  "heads of HTTP responses": `HTTP/1.1 200 OK\n${fill("a: b\n")}`,
  "status lines of HTTP without a head": fill("HTTP/1.1 200 OK\n\n"),
  backslashes: fill("\\"),
  "escaped line breaks": `"${fill("\\n")}"`,
  "quotes that never close": fill("'\""),
  "fences that never close": fill("```\n"),
  "fences in fences": counted((at) => `${"`".repeat(3 + (at % 40))}${at % 2 === 0 ? "ts" : ""}`),
  "fences of two signs": fill("~~~\n```\n"),
  "indented fences": fill(`${" ".repeat(40)}\`\`\`\n`),
  "code in lines that open no fence": fill("```a`\n"),
  "fences of nothing": fill("```\n```\n"),
  "fences in quotes that never close": `"${fill("\\n```py\\na")}"`,
  "fences in quotes": fill('"```py\\na\\n```"\n'),
  "signs of quotations": `${fill(">")}\`\`\`ts`,
  "quoted fences": fill("> ```ts\n>> ```\n"),
  "section signs": fill("§same as "),
  "section signs alone": fill("§"),
  "section signs before letters of a mark": fill("§s"),
  "consecutive numbers": counted((at) => `${at}→x`),
  "numbers that are not consecutive": counted((at) => `${at * 2}→x`),
  "lines that begin alike": counted((at) => `${"/a".repeat(9)}${at % 7}`),
  "lines that begin nearly alike": counted((at) => `${"a".repeat(18)}${at}`),
  "lines that begin alike, with an end of their own": counted((at) => `${"/a".repeat(6)}/${at}.ts`),
  "lines that begin alike, with repeated ends": counted((at) => `${"/a".repeat(9)}/${at % 97}`),
  "lines that begin alike, and are repeated": counted((at) => `${"/a".repeat(9)}/${at >> 2}`),
  "lines that begin alike, with dots of their own": counted((at) => `…abcdefgh, ${at}`),
  "lines that begin alike, with dots in brackets": counted((at) => `… […] abcd, ${at}`),
  "lines of one form": counted((at) => `#${at} of a web-01 ${at} x`),
  "lines of many forms": counted((at) => `${at} ab ${at % 5} cd ef ${at % 3} gh`),
  "lines of one form, with words in front": counted((at) => `${"abc "[at % 4]}x of a web-01 ${at}`),
  "lines of forms that share less and less": counted((at) => "ab ".repeat(33).slice((at % 20) * 3)),
  "lines of one letter": fill("a b c d e f g h i j 1 2 3\n"),
  "lines of one form, with all signs": counted((at) => `${at}|;~^¦ of a web-01 x`),
  "lines of matches": counted((at) => `src/a-7-b.ts${at % 2 ? ":" : "-"}${at}${at % 2 ? ":" : "-"}x;`),
  "lines of one long path": counted((at) => `${"a-1".repeat(6)}-${at}-`),
  "lines of JSON": counted((at) => `{"a":${at},"b":"c"}`),
  "lines of JSON, the last of which is broken": `${counted((at) => `{"a":[${at},{}]}`)}\n{`,
  "the same two lines": fill("a line that is the same again and again\nand another\n"),
  "blank lines with spaces": fill("          \n"),
  "commas and quotes": fill(',"'),
  "pairs of surrogates": fill("😀"),
  "lone surrogates": fill("\ud83d"),
};

const rowsOf = (cells: (at: number) => object) => Array.from({ length: 1_600 }, (_, at) => cells(at));

/** Tables that are read repeatedly, each time with some rows changed. */
const TABLES: Record<string, readonly object[]> = {
  "of short cells": rowsOf((at) => ({ id: at, name: "a name", state: at % 2 })),
  "that are the same": rowsOf((at) => ({ id: at >> 9, name: "the same name in every row" })),
  "of long cells": rowsOf((at) => ({ id: at, text: `${"x".repeat(120)}${at % 3}` })),
  "of long cells in quotes": rowsOf((at) => ({ id: at, text: `${'",{['.repeat(60)}${at}` })),
  "with tables in them": rowsOf((at) => ({ id: at, rows: [{ a: at }, { a: 1 }, { a: 2 }], b: at })),
  "with a table in their head": rowsOf((at) => ({ id: at, rows: [{ a: "like" }, { a: "another" }] })),
  "with heads that differ": rowsOf((at) => ({ rows: [{ [`a${at}`]: 1 }, { [`a${at}`]: 2 }] })),
  "with fences in them": rowsOf((at) => ({ id: at, text: "```ts\n```\n~~~" })),
};

function conversation(text: string): ChatMessage[] {
  const call = (id: string, name: string) => ({ id, name, arguments: "{}" });
  return [
    { role: "user", content: text },
    { role: "assistant", content: text, toolCalls: [call("1", "Bash"), call("2", "get_it")] },
    { role: "tool", toolCallId: "1", content: `x\n${text}` },
    { role: "tool", toolCallId: "2", content: `${text}\n` },
  ];
}

describe("hostile text", () => {
  test.each(Object.entries(HOSTILE))(`of ${SIZE / 1_000} KB takes little time: %s`, (_, text) => {
    const messages = conversation(text);
    // The conversation has the text four times; anything but linear time would take a minute.
    expect(fastestMs(() => compact(messages, OPTIONS), 3, LIMIT_MS)).toBeLessThan(LIMIT_MS);
  });

  // One option of a command, so long that rereading it from each of its letters would take seconds.
  test.each([
    ["perl -", "n"],
    ["perl -", "l"],
    ["sudo ruby -", "p"],
    ["unzip -", "p"],
    ["tar ", "O"],
    ["bsdtar -", "xO"],
    ["echo ", "$(<"],
  ])("of 40,000 letters after %j is compacted within 100 ms: %j", (command, letter) => {
    const input = JSON.stringify({ command: `cd a; ${command}${letter.repeat(40_000 / letter.length)}!` });
    const messages: ChatMessage[] = [
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "Bash", arguments: input }] },
      { role: "tool", toolCallId: "1", content: "x".repeat(300) },
    ];
    expect(fastestMs(() => compact(messages, { ...OPTIONS, level: "safe" }), 3, 100)).toBeLessThan(100);
  });

  test.each(["print(", "print('", "print(f'{", "b=a\n", ";for ", "open(", "x=open("])(
    "of many programs that open a file is compacted in time: %j",
    (unit) => {
      const command = `f=open(p)\na=f.read()\n${unit.repeat(19_000 / unit.length)}print(`;
      const toolCalls = Array.from({ length: PROGRAMS }, (_, at) => ({
        ...{ id: `${at}`, name: "Bash", arguments: JSON.stringify({ command }) },
      }));
      const results = toolCalls.map(({ id }) => ({
        ...({ role: "tool", toolCallId: id } as const),
        content: "x".repeat(300),
      }));
      const messages: ChatMessage[] = [{ role: "assistant", content: null, toolCalls }, ...results];
      const limitMs = PROGRAMS * 10;
      expect(fastestMs(() => compact(messages, { ...OPTIONS, level: "safe" }), 4, limitMs)).toBeLessThan(
        limitMs,
      );
    },
  );

  test.each(Object.entries(HOSTILE))("can be expanded again: %s", (_, text) => {
    const [user, ...rest] = conversation(text.slice(0, 4_000));
    if (user === undefined) throw new Error("there is a user");
    const { messages } = compact(rest, { level: "structural", references: true });
    expect(() => expand(messages, { references: true })).not.toThrow();
  });

  test.each(Object.entries(HOSTILE))("has the same form at every cut of the conversation: %s", (_, text) => {
    const [short, longer] = isLong ? [20_000, 60_000] : [5_000, 15_000];
    const messages = [...conversation(text.slice(0, short)), ...conversation(text.slice(0, longer))];
    const whole = compact(messages, OPTIONS).messages;
    for (let cut = 1; cut < messages.length; cut++) {
      expect(compact(messages.slice(0, cut), OPTIONS).messages).toEqual(whole.slice(0, cut));
    }
  });

  function expectQuick(call: ToolCall): void {
    const results = Array.from({ length: 2_000 }, (_, at) => ({
      ...({ role: "tool", toolCallId: "1" } as const),
      content: `${at} ${"x".repeat(120)}`,
    }));
    const messages: ChatMessage[] = [{ role: "assistant", content: null, toolCalls: [call] }, ...results];
    for (const level of ["safe", "structural"] as const)
      expect(fastestMs(() => compact(messages, { ...OPTIONS, level }), 2, 250)).toBeLessThan(250);
  }

  test.each([
    ["get_item", ".json? "],
    ["get_item", ".json#"],
    ["get_item", '"file '],
    ["get_item", `.json?${"x".repeat(190)}`],
    ["get_item", '"path":"'],
    ["get_item", '"path" '],
    ["get_item", `"path":"${".a".repeat(190)} `],
    ["get_item", `"${"path".repeat(9)} `],
    ["Bash", '"cat '],
    ["Bash", `"cd ${"x".repeat(290)}`],
    ["Bash", '" '],
    ["Bash", "sudo "],
    ["Bash", "git show "],
    ["Bash", "X=1 "],
    ["Bash", "X=1"],
    ["Bash", "do "],
    ["Bash", "< "],
    ["Bash", "<x "],
    ["Bash", "<"],
    ["Bash", "find < "],
    ["Bash", "\\"],
    ["Bash", '"sudo /x'],
    ["Bash", "|      "],
  ])("in a call with 2,000 results is compacted within 250 ms: %s %s", (name, unit) => {
    expectQuick({ id: "1", name, arguments: fill(unit) });
  });

  test("of blanks before a call's path is compacted within 250 ms", () => {
    expectQuick({ id: "1", name: "get_item", arguments: `{"path":${fill(" ")}1}` });
  });

  test.each(Object.entries(TABLES))(
    "in rows %s is compacted within 1.5 seconds, and can be expanded again",
    (_, rows) => {
      const looks = [
        rows,
        rows.with(1, {}),
        rows.slice(7),
        rows.filter((_, at) => at % 9 !== 0),
        rows.slice(800),
      ];
      const look = (size: number) =>
        looks.flatMap((some, at): ChatMessage[] => [
          { role: "assistant", content: null, toolCalls: [{ id: `${at}`, name: "get_it", arguments: "{}" }] },
          { role: "tool", toolCallId: `${at}`, content: JSON.stringify(some.slice(0, size)) },
        ]);
      const whole = look(SIZE);
      expect(fastestMs(() => compact(whole, OPTIONS), 2, 1_500)).toBeLessThan(1_500);
      const short = look(100);
      const { messages } = compact(short, OPTIONS);
      expect(expand(messages, OPTIONS)).toEqual(short);
      for (let cut = 1; cut < short.length; cut++) {
        expect(compact(short.slice(0, cut), OPTIONS).messages).toEqual(messages.slice(0, cut));
      }
    },
  );

  test("of any kind never costs more tokens than before", () => {
    const unit = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(unit, fc.nat(60)), { maxLength: 6 }), (parts) => {
        const text = parts.map(([part, times]) => part.repeat(times)).join("");
        expect(compact(conversation(text), OPTIONS).tokensSaved).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: roundsOfRun(100, 0.4) },
    );
  });
});
