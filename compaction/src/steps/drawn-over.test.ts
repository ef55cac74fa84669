import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { compact } from "../compact.ts";
import type { ChatMessage } from "../message.ts";
import { isDrawnOver } from "./drawn-over.ts";

const E = "\x1b[";

function safe(content: string): string {
  const messages: ChatMessage[] = [
    {
      role: "assistant",
      content: null,
      toolCalls: [{ id: "1", name: "Bash", arguments: '{"command":"watch x"}' }],
    },
    { role: "tool", toolCallId: "1", content },
  ];
  return String(compact(messages, { level: "safe", references: true }).messages[1]?.content);
}

describe("output that a program draws on a screen", () => {
  test("keeps moves and erasures if it overwrites earlier text, and loses other codes", () => {
    const drawn = (m: (code: string) => string, settings = "") =>
      `${settings}${E}H${E}2J${m("32")}alpha${m("")}  errors 3\r${E}2dbeta   errors 1\r${E}3dgamma  errors 0${E}24;80H${E}2;15H${m("31")}2${m("")}${E}K${E}3d\b5\x1b7${E}24;80H\x1b8`;
    const text = drawn((code) => `${E}${code}m`, `${E}?1049h${E}?25l\x1b(B\x1b]0;watch\x07`);
    expect(safe(text)).toBe(drawn(() => ""));
  });

  test("keeps rows that only look like progress", () => {
    const rows = Array.from({ length: 9 }, (_, at) => `${E}${at + 1}dcpu ${at} busy ${at}0 %\r`).join("");
    const text = `top\n${E}?1049h${E}H${E}2J${rows}${E}2;9H70${E}m${E}1m${E}m${E}1m${E}m\nend`;
    expect(safe(text)).toBe(`top\n${E}H${E}2J${rows}${E}2;9H70\nend`);
  });

  test("keeps the colour code between two values that would otherwise run together", () => {
    const drawn = (m: (code: string) => string, settings = "") =>
      `${settings}${E}H${E}2J${m("32")}core 1 of this machine 15${E}2;1H${m("33")}core 2 of this machine 15${m("")} %${E}1;24H${m("32")}71${E}33m42${m("")} %`;
    expect(safe(drawn((code) => `${E}${code}m`, `${E}?1049h${E}?25l`))).toBe(drawn(() => ""));
  });

  test("becomes lines if it only moves down", () => {
    const frame = (load: number) =>
      `${E}H${E}2J${E}1mload${E}m ${load}\r${E}2d${E}32mweb${E}m  up\r${E}4d${E}32mmail${E}m up${E}24;80H`;
    expect(safe(frame(1) + frame(2))).toBe(
      "\nload 1\r\nweb  up\r\nmail up\n\nload 2\r\nweb  up\r\nmail up\n",
    );
  });
});

test.each([
  ["by columns", `${E}1;1HUSER${E}2;1Halice${E}1;20HQUOTA${E}2;20H42`],
  ["at another place of the row", `${E}1;1Hload 1.20${E}1;6H2`],
  ["again from the top", `cpu 1\ncpu 2\n${E}Hcpu 3\ncpu 4\n`],
  ["in the row of a line that was printed", `one\ntwo\nthree${E}2;9H!`],
  ["below a move down", `one${E}2Bthree${E}E${E}3fx`],
  ["below the next line", `one\x1bDtwo\x1bEthree${E}3;1Hx`],
  ["where only the text above was erased", `one\ntwo${E}1J${E}2;1Hx`],
  ["where the end of a row was erased", `one two${E}1;5H${E}Kx`],
  ["where the start of a row was erased", `one two${E}1;1H${E}1Kx`],
  ["above a row that was erased", `one\ntwo${E}2;1H${E}K${E}1;1Hx`],
  ["above what was erased", `one\ntwo${E}2;1H${E}J${E}1;1Hx`],
  ["after a return to a saved position", `${E}3;1Hone${E}s${E}9;1Htwo${E}u${E}3;1Hx`],
])("a screen is overwritten %s", (_, text) => {
  expect(isDrawnOver(text)).toBe(true);
});

test.each([
  ["without numbers of rows", `${E}31mone${E}m\n[H${E}1Atwo${E}K`],
  ["down", `one${E}2;1Htwo${E}3dthree${E}5;3ffive`],
  ["in colours", `${E}2;1H${E}31mone${E}m two${E}3;1Hthree`],
  ["where nothing was written", `${E}24;80H${E}1;1Hone${E}24;80H${E}2;1H  ${E}2;5Htwo${E}24;80H`],
  ["after everything was erased", `one\ntwo${E}H${E}2Jthree${E}2J${E}Hfour${E}H${E}Jfive`],
  ["in a row that was erased", `one\ntwo${E}2;1H${E}Kthree${E}2K${E}2;7Hfour`],
  ["on another screen", `one\ntwo\nthree\x1b7${E}?47h${E}Hfour${E}2;1Hfive`],
  ["below a move up", `one\ntwo\nthree${E}2A${E}4;1Hfour`],
  ["aside", `${E}24;0fA\x1b7${E}24;0f10 %\x1b8one\n\x1b7${E}24;0f20 %\x1b8two`],
  ["by what only looks like a move", `one\n${E}?1;1Htwo${E}1;1 Hthree`],
])("no screen is overwritten %s", (_, text) => {
  expect(isDrawnOver(text)).toBe(false);
});

test.each([`${E}Hx${E}J`, `${E}1;`, "[[1;1", `${E}2;1H${E}J\n`])(
  "screens full of %j are checked within 300 ms",
  (unit) => {
    const text = `${E}1;1H${unit.repeat(200_000 / unit.length)}`;
    expect(fastestMs(() => isDrawnOver(text), 2)).toBeLessThan(300);
  },
);
