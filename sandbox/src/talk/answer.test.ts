import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fastestMs } from "../../../test/fastest.ts";
import { createRandom } from "../random.ts";
import { answer } from "./answer.ts";

const said = (prompt: string, attachments: readonly string[] = []) =>
  answer(prompt, attachments, createRandom(1)).text;

describe("an answer", () => {
  const page = readFileSync(join(import.meta.dir, "../../../console/pages/playground/chat/chat.tsx"), "utf8");
  const [, sample = "", others = ""] = /SAMPLE = (".*");\nconst STARTS = \[SAMPLE, (.*)\];/.exec(page) ?? [];
  const starters: string[] = JSON.parse(`[${sample}, ${others}]`);
  test.each([...starters, "What is 6 times 7?", "6 times 7?", "Hello", "Who are you?"])(
    "to our own %j is sensible",
    (prompt) => {
      const { topic, text } = answer(prompt, [], createRandom(1));
      expect(topic).not.toMatch(/no rule|repeat/);
      expect(text).toMatch(/sandbox/i);
    },
  );

  test.each([
    ["2+2", "2 + 2 = 4."],
    ["What is 12 * (7 - 2.5)?", "12 * (7 - 2.5) = 54."],
    ["0.1 + 0.2 =", "0.1 + 0.2 = 0.3."],
    ["Calculate -8 ÷ 3 × 2", "- 8 / 3 * 2 = -5.33333333333."],
    ["7 / 0?", "7 / 0 has no value."],
  ])("to %j works it out", (prompt, expected) => {
    expect(said(prompt)).toBe(`Sandbox arithmetic: ${expected}`);
  });

  test.each(["+1 (555) 0100", "(1 + 2", "1 +", "3 4", "What is 5 in binary?", "24/7 opening hours"])(
    "to %j is no sum",
    (prompt) => {
      expect(said(prompt)).not.toContain("arithmetic: +");
      expect(said(`${prompt} `)).not.toContain("=");
    },
  );

  test.each([
    ["Say hello to the harbour", "The sandbox says: hello to the harbour"],
    ["please repeat: “a b”", "The sandbox says: a b"],
  ])("to %j repeats what it dictates", (prompt, expected) => {
    expect(said(prompt)).toBe(expected);
  });

  test("to anything else quotes it, says that it is the sandbox, and names what was attached", () => {
    for (const prompt of ["Why is the sky blue?", "x".repeat(100_000), ""]) {
      expect(said(prompt)).toContain("sandbox");
      expect(said(prompt).length).toBeLessThan(400);
    }
    expect(said("Look", ["an image", "b.pdf"])).toContain("(Received: an image, b.pdf;");
  });

  test.each(["1+", "(", "what is ", "say ", "hello ", "9.", "x1"])("to many %j is quick", (unit) => {
    const hostile = unit.repeat(100_000);
    expect(fastestMs(() => said(hostile), 3, 50)).toBeLessThan(50);
  });
});
