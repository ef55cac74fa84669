import { expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import type { ChatMessage } from "../../contract/index.ts";
import { encodeRequest } from "../../providers/openai-wire/encode/encode-request.ts";
import { WIRE_VENDORS } from "../../providers/wire-vendors-testing.ts";
import { repeatedReasoning, sentReasoning } from "./sent-reasoning.ts";

const WORDS = "So be it.";
const turn: ChatMessage = {
  role: "assistant",
  content: WORDS,
  reasoning: [{ text: "Well, " }, { text: "yes." }],
};
const sentTo = (vendor: keyof typeof WIRE_VENDORS, ...messages: ChatMessage[]) => {
  const target = { vendor: WIRE_VENDORS[vendor], model: "m", namespace: "acme" };
  return sentReasoning(encodeRequest({ messages, maxOutputTokens: 5 }, target));
};

test.each(["deepseek", "groq", "mistral", "openrouter"] as const)(
  "reasoning that is sent to %s is found per turn",
  (vendor) => {
    const [first, ...others] = sentTo(
      vendor,
      { role: "user", content: "Well, yes." },
      turn,
      { role: "user", content: WORDS },
      { role: "assistant", content: WORDS },
    );
    expect(first?.has("Well, yes.")).toBe(true);
    expect(first?.has(WORDS)).toBe(false);
    expect(others).toEqual([]);
  },
);

test("no reasoning is found in a request to a vendor that accepts none, or in messages without any", () => {
  expect(sentTo("openai", turn)).toEqual([]);
  expect(sentReasoning({ input: [{ role: "assistant", reasoning: WORDS }] })).toEqual([]);
  expect(
    sentReasoning({ messages: [null, { role: "assistant", content: [null, { type: "text" }] }] }),
  ).toEqual([]);
});

test("reasoning items of a Responses request are grouped by turn", () => {
  const thought = (text: string) => ({ type: "reasoning", summary: [{ type: "summary_text", text }] });
  const input = [thought("One."), thought("Two."), { type: "function_call" }, null, thought("Three.")];
  const turns = sentReasoning({ input: [...input, { type: "reasoning", summary: [] }] });
  expect(turns.map((texts) => [...texts].filter((text) => text.endsWith(".")))).toEqual([
    ["One.", "Two."],
    ["Three."],
  ]);
});

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
