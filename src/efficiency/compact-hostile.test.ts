import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../test/fastest.ts";
import type { ChatMessage } from "../providers/index.ts";
import { compact } from "./compact.ts";
import { expand } from "./expand-testing.ts";

const SIZE = 200_000;
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
  "a state of shares and signs": `\r${fill("1/1/ - 1:")}`,
  "a state of one long number": `\r${fill("1")}`,
  "a state of shares": `\r${fill("1% 1.1%|| ")}`,
  "escape characters": fill("\x1b"),
  "titles that never end": fill("\x1b]"),
  "parameters that never end": `\x1b[${fill("1;")}`,
  "links that never end": fill("\x1b]8;;https://example.org\x07a"),
  "a link to a long address": `\x1b]8;;${fill("a")}\x07${fill("a")}\x1b]8;;\x07`,
  "colours that touch": fill("\x1b[31ma\x1b[32mb"),
  "a colour of many parameters": `\x1b[${fill("38;5;1;")}m${fill("a")}`,
  "moves of the cursor": fill("\x1b[9C\x1b[H"),
  "nested arrays": nested("[", "]"),
  "nested objects": fill('{"a":'),
  "brackets that never close": fill("[{"),
  "an array of empty objects": `[${fill("{},").slice(0, -1)}]`,
  "an object of like objects": `{${counted((at) => `"k${at}":{"a":{"b":{"c":${at}}}},`).replaceAll("\n", "")}"z":{}}`,
  "tables in tables": `[${fill('{"a":[{"b":1,"c":[{"d":1},{"d":2}]},{"b":2,"c":[]}]},').replace(/\},[^}]*$/, "}")}]`,
  "tables that are given up at every level": `${'[{"a":'.repeat(30)}1${'},{"a":1}]'.repeat(30)}`,
  "objects in objects, like each other": `${'{"k":{"a":'.repeat(20)}1${'},"l":{"a":2}}'.repeat(20)}`,
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
  "numbers that count": counted((at) => `${at}→x`),
  "numbers that do not": counted((at) => `${at * 2}→x`),
  "lines that begin alike": counted((at) => `${"/a".repeat(9)}${at % 7}`),
  "lines that all but begin alike": counted((at) => `${"a".repeat(18)}${at}`),
  "the same two lines": fill("a line that is the same again and again\nand another\n"),
  "blank lines with spaces": fill("          \n"),
  "commas and quotes": fill(',"'),
  "pairs of surrogates": fill("😀"),
  "lone surrogates": fill("\ud83d"),
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
  test.each(Object.entries(HOSTILE))("of 200 KB takes little time: %s", (_, text) => {
    const messages = conversation(text);
    // Four times 200 KB: anything but linear time would take minutes.
    expect(fastestMs(() => compact(messages, OPTIONS), 2)).toBeLessThan(1_500);
  });

  test.each(Object.entries(HOSTILE))("can be read back: %s", (_, text) => {
    const [user, ...rest] = conversation(text.slice(0, 4_000));
    if (user === undefined) throw new Error("there is a user");
    const { messages } = compact(rest, { level: "structural", references: true });
    expect(() => expand(messages, { references: true })).not.toThrow();
  });

  test.each(Object.entries(HOSTILE))("is shown at its beginning as in the whole: %s", (_, text) => {
    const messages = [...conversation(text.slice(0, 20_000)), ...conversation(text.slice(0, 60_000))];
    const whole = compact(messages, OPTIONS).messages;
    for (let cut = 1; cut < messages.length; cut++) {
      expect(compact(messages.slice(0, cut), OPTIONS).messages).toEqual(whole.slice(0, cut));
    }
  });

  test.each([
    ["get_item", ".json? "],
    ["get_item", ".json#"],
    ["get_item", '"file '],
    ["get_item", `.json?${"x".repeat(190)}`],
    ["Bash", '"cat '],
    ["Bash", `"cd ${"x".repeat(290)}`],
    ["Bash", '" '],
  ])("in a call that thousands of results name takes little time: %s %s", (name, unit) => {
    const call = { id: "1", name, arguments: fill(unit) };
    const results = Array.from({ length: 2_000 }, (_, at) => ({
      ...({ role: "tool", toolCallId: "1" } as const),
      content: `${at} ${"x".repeat(120)}`,
    }));
    const messages: ChatMessage[] = [{ role: "assistant", content: null, toolCalls: [call] }, ...results];
    for (const level of ["safe", "structural"] as const)
      expect(fastestMs(() => compact(messages, { ...OPTIONS, level }), 2)).toBeLessThan(250);
  });

  test("of any kind is never made longer", () => {
    const unit = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(unit, fc.nat(60)), { maxLength: 6 }), (parts) => {
        const text = parts.map(([part, times]) => part.repeat(times)).join("");
        expect(compact(conversation(text), OPTIONS).tokensSaved).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
