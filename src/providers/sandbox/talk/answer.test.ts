import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
import { createRandom, seedOf } from "../random.ts";
import { answer } from "./answer.ts";

const answerTo = (prompt: string, attachments: readonly string[] = []) =>
  answer(prompt, attachments, createRandom(seedOf(prompt)));

describe("an answer", () => {
  test.each<[string, string, string]>([
    ["Hello", "small talk", "ello"],
    ["Who are you?", "small talk", "not a language model"],
    ["What is the time?", "small talk", "no clock"],
    ["Hi, what is 6 * 7?", "arithmetic", "6 * 7 = 42"],
    ["Say hello", "something to repeat", "says: hello"],
    ['Reply with exactly "pong".', "something to repeat", "says: pong"],
    ["List three planets", "a list", "3. Earth"],
    ["Name the days of the week", "a list", "7. Sunday"],
    ["Give me 4 ideas for a party", "a list", "4. "],
    ["Explain monads", "something that no rule covers", "Explain monads"],
    ["", "something that no rule covers", "nothing to answer"],
  ])("to %j is sensible", (prompt, topic, part) => {
    const found = answerTo(prompt);
    expect(found.topic).toBe(topic);
    expect(found.text).toContain(part);
    expect(found.text).toMatch(/sandbox/i);
  });

  test("that summarises keeps the sentences that tell most, as many as were asked for", () => {
    const text = "The purser keeps the chest. Dogs bark. The purser counts the chest every evening.";
    expect(answerTo(`Summarise in one sentence: ${text}`).text).toBe(
      "Sandbox summary: The purser keeps the chest.",
    );
    expect(answerTo(`${text}\nSummarize that`).text).toBe(
      "Sandbox summary: The purser keeps the chest. The purser counts the chest every evening.",
    );
    expect(answerTo("Summarise").text).toContain("no text here");
  });

  test("of a given length has that many words", () => {
    const { text } = answerTo("Write 120 words about the sea");
    expect(text.split(/\s+/)).toHaveLength(120);
  });

  test("is the same for the same prompt", () => {
    expect(answerTo("Explain monads")).toEqual(answerTo("Explain monads"));
  });

  test("mentions what was attached and not looked at", () => {
    expect(answerTo("Hello", ["an image", "a.pdf"]).text).toContain("(Received: an image, a.pdf;");
    expect(answerTo("Hello", Array(200).fill("an image")).text).toContain("an image, 192 more;");
  });

  test("quotes no half character", () => {
    expect(answerTo("😀".repeat(200)).text.isWellFormed()).toBe(true);
  });

  test.each([" ", "a", "a ", "say ", "list ", "\n", "1,", "(", "'", ". ", "sum up:", "\ud800"])(
    "to 1 MB of %j comes quickly",
    (unit) => {
      const prompt = unit.repeat(1_000_000 / unit.length);
      expect(fastestMs(() => answerTo(prompt))).toBeLessThan(100);
    },
  );
});
