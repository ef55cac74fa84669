import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { dropColours } from "./terminal-codes.ts";

const E = "\x1b";

describe("terminal codes", () => {
  test.each([
    ["colours", `${E}[32mPASS${E}[0m a ${E}[1;33mwarning${E}[m`, "PASS a warning"],
    ["colours of a palette", `${E}[38;5;208mhot${E}[39m`, "hot"],
    ["erasures to the end of the line", `${E}[36m${E}[Ka.sh${E}[m${E}[K:7`, "a.sh:7"],
    ["a colour in a word", `find${E}[31mings${E}[0m`, "findings"],
  ])("are dropped: %s", (_, text, plain) => {
    expect(dropColours(text)).toBe(plain);
  });

  test.each([
    ["red and green, which mark what was removed and added", `${E}[31mold${E}[0m ${E}[32mnew${E}[0m`],
    ["red and green grounds", `${E}[41m ${E}[0m${E}[42m ${E}[0m`],
    ["bright red and green", `${E}[91mx${E}[0m ${E}[92mx${E}[0m`],
    ["strike-through", `${E}[9mdone${E}[0m open`],
    ["colours that keep words apart", `${E}[34mone${E}[0m${E}[35mtwo${E}[0m`],
    ["colours that keep words apart, without a reset", `${E}[34mone${E}[35mtwo${E}[0m`],
    ["cursor moves", `${E}[33mcpu${E}[0m${E}[10G17`],
    ["erasures of the screen", `${E}[2J${E}[33mcpu${E}[0m`],
    ["titles", `${E}]0;title\x07${E}[33mcpu${E}[0m`],
    ["an incomplete code", `${E}[33mcpu${E}[`],
    ["a fence, which they may hide", `${E}[33m\`${E}[0m\`\`ts\ncode`],
  ])("stay, all of them, in a text with %s", (_, text) => {
    expect(dropColours(text)).toBe(text);
  });

  test("are read in linear time", () => {
    const text = `${E}[33`.repeat(20_000) + `${E}[m`.repeat(20_000);
    expect(fastestMs(() => dropColours(text), 5, 100)).toBeLessThan(100);
  });
});
