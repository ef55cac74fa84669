import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import { unwrapCustomInput, wrapCustomInput } from "./custom-tool.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a custom tool's input in a function's arguments", () => {
  test("is the text that was wrapped", () => {
    for (const text of ["ls -l", "", '{"input":"x"}', 'a\n"b"\\']) {
      expect(unwrapCustomInput(wrapCustomInput(text))).toBe(text);
    }
  });

  test("has NUL and lone surrogates replaced", () => {
    for (const said of ["\\u0000", "\\ud800"]) {
      const text = unwrapCustomInput(`{"input":"a${said}b"}`);
      expect([text.isWellFormed(), text.includes("\0"), text.length]).toEqual([true, false, 3]);
    }
  });

  test.each([
    ['{"input":"hel', "hel"],
    ['{ "input" : "a\\nb', "a\nb"],
    ['{"input":"a\\', "a"],
    ['{"input":"a\\\\', "a\\"],
    ['{"input":"a\\\\\\', "a\\"],
    ['{"input":"a\\u00e', "a"],
    ['{"input":"a\\u', "a"],
    ['{"input":"a\\\\u00e', "a\\u00e"],
    ['{"input":"menu', "menu"],
    ['{"input":"a\\u00e9', "aé"],
    ['{"input":"say \\"', 'say "'],
    ['{"input":"hel"', "hel"],
    ['{"input":"', ""],
    ['{"input":', ""],
    ['{"inp', ""],
  ])("is the part that arrived if the arguments are cut: %s", (text, begun) => {
    expect(unwrapCustomInput(text)).toBe(begun);
  });

  test("is found within 100 ms behind a million backslashes", () => {
    const cut = `{"input":"${"\\".repeat(1_000_000)}x`;
    expect(fastestMs(() => unwrapCustomInput(cut), 5, 100)).toBeLessThan(100);
  });

  test("is written as JSON if the model's input is not text", () => {
    expect(unwrapCustomInput('{"input": [1, {"a": 2}]}')).toBe('[1,{"a":2}]');
  });

  test.each([
    ["are not JSON", "ls -l"],
    ["have no input", '{"command":"ls"}'],
    ["are a text that only starts like one", '{"input":"a"} | jq'],
    ["are a single brace", "{"],
    ["are cut inside a list", '{"input":[1,'],
    ["have raw line breaks", '{"input":"a\nb'],
    ["are nested too deep to be serialized", `{"input": ${nested(1_000)}}`],
  ])("is the whole arguments if they %s", (_, text) => {
    expect(unwrapCustomInput(text)).toBe(text);
  });
});
