import { expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import { repeatedReasoning } from "./unseen-text.ts";

test("reasoning details count as repeated up to the first one that is not in the reasoning text", () => {
  const text = (words: string) => ({ type: "reasoning.text", text: words });
  const repeated = (turn: object) => repeatedReasoning({ messages: [null, { role: "assistant", ...turn }] });
  const details = [null, text("Well"), { data: "s" }, { summary: "yes." }, text("Well"), text("yes.")];
  expect(repeated({ reasoning: "Well, yes.", reasoning_details: details })).toEqual(["Well", "yes."]);
  expect(repeated({ reasoning_content: "Well", reasoning_details: details })).toEqual([]);
  expect(repeated({ role: "user", reasoning: "Well", reasoning_details: details })).toEqual([]);
  expect(repeated({ reasoning: "Well", reasoning_details: "Well" })).toEqual([]);
  expect(repeatedReasoning({ input: [] })).toEqual([]);
});

test("long reasoning is searched in one pass, however many details it has", () => {
  const turnWith = (words: string) => ({
    role: "assistant",
    reasoning: "ab".repeat(200_000),
    reasoning_details: Array.from({ length: 50_000 }, () => ({ text: words })),
  });
  const both = () => repeatedReasoning({ messages: [turnWith("b"), turnWith("c")] });
  expect(both()).toHaveLength(50_000);
  expect(fastestMs(both, 3, 300)).toBeLessThan(300);
});
