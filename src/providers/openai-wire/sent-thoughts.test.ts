import { expect, test } from "bun:test";
import type { ChatMessage } from "../contract.ts";
import { encodeRequest } from "./encode-request.ts";
import { sentThoughts } from "./sent-thoughts.ts";
import { WIRE_VENDORS } from "./vendors.ts";

const WORDS = "So be it.";
const turn: ChatMessage = {
  role: "assistant",
  content: WORDS,
  reasoning: [{ text: "Well, " }, { text: "yes." }],
};
const sentTo = (vendor: keyof typeof WIRE_VENDORS, ...messages: ChatMessage[]) => {
  const target = { vendor: WIRE_VENDORS[vendor], model: "m", namespace: "acme" };
  return sentThoughts(encodeRequest({ messages, maxOutputTokens: 5 }, target));
};

test.each(["deepseek", "groq", "mistral", "openrouter"] as const)(
  "thoughts that %s is given are found turn by turn",
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

test("a server that takes none was given none, nor one of another wire", () => {
  expect(sentTo("openai", turn)).toEqual([]);
  expect(sentThoughts({ input: [{ role: "assistant", reasoning: WORDS }] })).toEqual([]);
  expect(
    sentThoughts({ messages: [null, { role: "assistant", content: [null, { type: "text" }] }] }),
  ).toEqual([]);
});

test("those of a response are its items of thoughts, of one turn where they follow each other", () => {
  const thought = (text: string) => ({ type: "reasoning", summary: [{ type: "summary_text", text }] });
  const input = [thought("One."), thought("Two."), { type: "function_call" }, null, thought("Three.")];
  const turns = sentThoughts({ input: [...input, { type: "reasoning", summary: [] }] });
  expect(turns.map((texts) => [...texts].filter((text) => text.endsWith(".")))).toEqual([
    ["One.", "Two."],
    ["Three."],
  ]);
});
