import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../test/fastest.ts";
import { SANDBOX_DIRECTIVES } from "../reply.ts";
import { DIRECTIVE_NAMES, readDirectives, type Script } from "./directives.ts";

function scriptOf(text: string): Script {
  const reading = readDirectives(text);
  if (reading.outcome !== "read") throw new Error(`malformed: ${reading.written}`);
  return reading.script;
}

describe("the list of directives", () => {
  test("names every directive in a form that can be read", () => {
    const listed = SANDBOX_DIRECTIVES.map(({ directive }) => directive);
    for (const directive of listed) expect(readDirectives(directive).outcome).toBe("read");
    const names = listed.map((directive) => /^\[sandbox:([a-z-]+)/.exec(directive)?.[1] ?? "");
    expect(new Set(names)).toEqual(new Set(DIRECTIVE_NAMES));
  });
});

describe("a directive", () => {
  const READ: readonly [string, Partial<Script>][] = [
    ["[sandbox:error=429]", { errorStatus: 429 }],
    ["[sandbox:cut=after:20]", { cutAfterWords: 20 }],
    ["[sandbox:delay=3s]", { delayMs: 3000 }],
    ["[sandbox:delay=250ms]", { delayMs: 250 }],
    ["[sandbox:delay=1.5s]", { delayMs: 1500 }],
    ["[sandbox:delay=2m]", { delayMs: 120_000 }],
    ["[sandbox:first-byte=2s]", { firstByteMs: 2000 }],
    ["[sandbox:tokens=500]", { tokens: 500 }],
    ["[sandbox:usage=none]", { reportsUsage: false }],
    ["[sandbox:finish=length]", { finish: "length" }],
    ["[sandbox:echo]", { echo: true }],
    ["[sandbox:call=get_time]", { calls: [{ name: "get_time", arguments: null }] }],
    ['[sandbox:call=sh {"cmd": "a]b}"}]', { calls: [{ name: "sh", arguments: '{"cmd": "a]b}"}' }] }],
    ['[sandbox:call=sh {\\"cmd\\": \\"ls\\"}]', { calls: [{ name: "sh", arguments: '{"cmd": "ls"}' }] }],
  ];
  test.each([...READ])("is read: %s", (text, expected) => {
    expect(scriptOf(text)).toMatchObject(expected);
  });

  const MALFORMED = [
    "[sandbox:",
    "[sandbox:]",
    "[sandbox:echo",
    "[sandbox:echo=1]",
    "[sandbox:erorr=429]",
    "[sandbox:error]",
    "[sandbox:error=200]",
    "[sandbox:error=four]",
    "[sandbox:delay=121s]",
    "[sandbox:delay=-1s]",
    "[sandbox:delay=3]",
    "[sandbox:delay=1e3s]",
    "[sandbox:tokens=0]",
    "[sandbox:tokens=1e3]",
    "[sandbox:cut=20]",
    "[sandbox:usage=some]",
    "[sandbox:finish=tool_calls]",
    "[sandbox:call=]",
    "[sandbox:call=sh {]",
    "[sandbox:call=sh [1]]",
    '[sandbox:call=sh {"a": 1}',
    "[sandbox:__proto__=1]",
    "[sandbox:constructor]",
    "[Sandbox:error=500]",
    "[SANDBOX:echo]",
    "[ sandbox:echo]",
    "[sandbox :echo]",
    "[ Sandbox : echo]",
    "[sandbox: echo]",
  ];
  test.each(MALFORMED)("is malformed: %s", (text) => {
    expect(readDirectives(`Please ${text}`)).toMatchObject({ outcome: "malformed", prompt: "Please" });
  });

  test("is malformed if its opening is misspelt, and quoted as written", () => {
    const reading = readDirectives("one [sandbox:echo] two [Sandbox:tokens=5] three [sandbox:echo]");
    expect(reading).toEqual({ outcome: "malformed", written: "[Sandbox:tokens=5]", prompt: "one  two" });
  });

  test("is not read in the arguments of a call, across two lines or in similar text", () => {
    expect(scriptOf('[sandbox:call=sh {"cmd": "[Sandbox:echo]"}]').calls).toHaveLength(1);
    for (const text of [
      "[\nsandbox: echo]",
      "[sandbox\n: echo]",
      "[Sandbox: read-only]",
      "[Sandbox: error handling]",
      "[Sandbox: fail-safe]",
      "[Sandboxes: x]",
      "[the sandbox: x]",
      "Sandbox: [x]",
    ]) {
      expect(readDirectives(text)).toMatchObject({ outcome: "read", prompt: text });
    }
  });

  test("leaves the rest of the message as the prompt", () => {
    const reading = readDirectives("one [sandbox:echo]two [sandbox:tokens=5] three");
    expect(reading).toMatchObject({ outcome: "read", prompt: "one two  three" });
  });

  test("may be a call up to sixteen times, in order", () => {
    const call = '[sandbox:call=a {"n": 1}]';
    expect(scriptOf(`${call} and [sandbox:call=b]`).calls.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(scriptOf(call.repeat(16)).calls).toHaveLength(16);
    expect(readDirectives(call.repeat(17)).outcome).toBe("malformed");
  });

  test("overrides an earlier one of the same name", () => {
    expect(scriptOf("[sandbox:tokens=5][sandbox:tokens=7]").tokens).toBe(7);
  });

  test("of each kind of wait adds up to at most 120 seconds", () => {
    const waits = ({ firstByteMs, delayMs }: Script) => [firstByteMs, delayMs];
    expect(waits(scriptOf("[sandbox:first-byte=2m][sandbox:delay=2m]"))).toEqual([120_000, 0]);
    expect(waits(scriptOf("[sandbox:delay=90s] [sandbox:first-byte=100s]"))).toEqual([100_000, 20_000]);
    expect(waits(scriptOf("[sandbox:first-byte=1s][sandbox:delay=3s]"))).toEqual([1000, 3000]);
  });

  test("never throws when read, and text without one is only trimmed", () => {
    const piece = fc.constantFrom(
      "[sandbox:",
      "[ Sandbox",
      "]",
      "call=",
      "a",
      " {",
      '"',
      "\\",
      "}",
      "=",
      "delay",
      "3s",
      "echo",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(["read", "malformed"]).toContain(readDirectives(pieces.join("")).outcome);
      }),
    );
    expect(readDirectives(" a [sandbox] b ")).toMatchObject({ outcome: "read", prompt: "a [sandbox] b" });
  });

  test("is read within 100 ms from a hostile prompt of a megabyte", () => {
    const many = "[sandbox:echo]".repeat(100_000);
    const deep = `[sandbox:call=a ${"{".repeat(1_000_000)}`;
    expect(fastestMs(() => readDirectives(many), 3, 100)).toBeLessThan(100);
    expect(fastestMs(() => readDirectives(deep), 3, 100)).toBeLessThan(100);
    for (const piece of ["[", "[ ", "[sandbox", "[ Sandbox ", "[".padEnd(1_000), "[sandbox".padEnd(1_000)]) {
      const almost = piece.repeat(1_000_000 / piece.length);
      expect(fastestMs(() => readDirectives(almost), 3, 100)).toBeLessThan(100);
    }
    const blanks = `[sandbox${" ".repeat(1_000_000)}`;
    expect(fastestMs(() => readDirectives(blanks), 3, 100)).toBeLessThan(100);
  });
});
