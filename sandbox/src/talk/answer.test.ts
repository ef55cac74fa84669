import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fastestMs } from "../../../test/fastest.ts";
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
    ["Tell me what 2 + 2 is", "arithmetic", "2 + 2 = 4"],
    ["Don't search the web, just tell me what 3*3 is.", "arithmetic", "3 * 3 = 9"],
    ["Give me 10 minus 3", "arithmetic", "10 - 3 = 7"],
    ['Say "hello world" and nothing else', "something to repeat", "says: hello world"],
    ["Answer only with the word yes.", "something to repeat", "says: yes"],
    ["Say this is a test", "something to repeat", "says: this is a test"],
    ["Answer only with the number: 17*23", "arithmetic", "17 * 23 = 391"],
    ["Reply with only the result of 17*23", "arithmetic", "17 * 23 = 391"],
    ["In short, what is 5+5?", "arithmetic", "5 + 5 = 10"],
    ["sum up 10 + 20", "arithmetic", "10 + 20 = 30"],
    ["Sum up 3, 4 and 5", "arithmetic", "3 + 4 + 5 = 12"],
    ["What is Bursar?", "small talk", "AI gateway"],
    ["What is the sandbox?", "small talk", "AI gateway"],
    ["That was it, thanks!", "small talk", "sandbox"],
    ["Thanks, bye!", "small talk", "sandbox"],
    ["What model are you?", "small talk", "not a language model"],
    ["How do I use this?", "small talk", "directives"],
    ["Write a haiku about autumn", "small talk", "haiku:\n\n"],
    ["Explain monads", "something that no rule covers", "Explain monads"],
    ["", "something that no rule covers", "nothing to answer"],
  ])("to %j has the right topic and text", (prompt, topic, part) => {
    const found = answerTo(prompt);
    expect(found.topic).toBe(topic);
    expect(found.text).toContain(part);
    expect(found.text).toMatch(/sandbox/i);
  });

  /** What the console suggests, where it says so; the other examples are in the document and the docs. */
  const starts = readFileSync(
    join(import.meta.dir, "../../../console/pages/playground/chat/chat.tsx"),
    "utf8",
  );
  const [, sample = "", others = ""] =
    /SAMPLE = (".*");\nconst STARTS = \[SAMPLE, (.*)\];/.exec(starts) ?? [];
  const starters: string[] = JSON.parse(`[${sample}, ${others}]`);
  test.each([...starters, "What is 6 times 7?", "6 times 7?", "Hello"])(
    "to our own %j is sensible",
    (prompt) => {
      const { topic, text } = answerTo(prompt);
      expect(topic).not.toMatch(/no rule|repeat/);
      expect(text).toMatch(/sandbox/i);
    },
  );

  test("to our own first starter says hello in three languages", () => {
    const { text } = answerTo(starters[0] ?? "");
    expect(text.match(/^- \w+: \p{L}/gmu)).toHaveLength(3);
    expect(answerTo("say hello in three languages").text).toBe(text);
    expect(answerTo("Say hello in three colours.").topic).not.toBe("an example of ours");
  });

  test.each([
    "How do you say thank you in German?",
    "Write a short news article about cats.",
    "What model of car is best?",
    "How do I use git?",
    "Answer yes or no: is water wet?",
    "hello in Japanese?",
    "Help me write an email to my boss",
    "Diverse opinions matter",
    "0 words",
    "What is the time complexity of quicksort?",
    "Reply to this email: Dear Bob, thanks.",
    "Name the capital of France",
    "What does a 1000 words mean",
    "Answer with a single word: capital of France",
    "Answer in one word: what color is the sky?",
    "Say hello in Spanish",
    "Say hello in 3 languages",
    "Repeat the word hello 3 times",
    "answer me",
    "Reply with a single word",
    "Respond with JSON",
    "List 1 to 5",
    "Reply YES or NO",
    "Say it louder",
  ])("to %j follows no rule", (prompt) => {
    expect(answerTo(prompt).topic).toBe("something that no rule covers");
  });

  test.each([
    ["Answer only with the word yes.", "yes"],
    ['Please reply with exactly the following JSON: {"status":"ok"}', '{"status":"ok"}'],
    ["Reply 'ok' if you can read this", "ok"],
    ["Say OK if this works", "OK"],
    ["If you can read this, say OK", "OK"],
    ["Only reply with 'ok'", "ok"],
    ["Repeat this sentence: The cat sat.", "The cat sat."],
    ['Say "a" and "b"', '"a" and "b"'],
    ['Say "I\'m fine"', "I'm fine"],
    ["Reply with one word: yes", "yes"],
    ["Answer with yes", "yes"],
    ["Please repeat: 2+2", "2+2"],
  ])("to %j is the dictated text, without the rest of the request", (prompt, said) => {
    expect(answerTo(prompt).text).toBe(`The sandbox says: ${said}`);
  });

  test("with a haiku has three lines of it", () => {
    for (const prompt of ["Write a haiku about autumn", "A haiku please", "Compose a haiku"])
      expect(answerTo(prompt).text.split("\n")).toHaveLength(5);
  });

  test.each([
    [
      "Dr. Smith paid 3.5 million dollars for the U.S. firm. He was happy.",
      1,
      "Dr. Smith paid 3.5 million dollars for the U.S. firm.",
    ],
    ["Version 2.0.1 of app.js was released. It is fast.", 1, "Version 2.0.1 of app.js was released."],
  ])("that summarises does not end a sentence at a dot within %j", (text, count, expected) => {
    expect(answerTo(`Summarize in ${count} sentence: ${text}`).text).toBe(`Sandbox summary: ${expected}`);
  });

  test("does not summarise a URL", () => {
    expect(answerTo("Please summarize https://example.com/article").text).toContain("no text here");
  });

  test("that summarises uses only the text after the question", () => {
    const prompt = "Can you summarize the following in one sentence? Solar panels make power. Cats sleep.";
    expect(answerTo(prompt).text).toBe("Sandbox summary: Solar panels make power.");
  });

  test("of 50 words repeats no sentence", () => {
    const sentences = answerTo("Write 50 words about dogs").text.split(/(?<=\.)\s+/);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test("that summarises keeps the most relevant sentences, as many as requested", () => {
    const text = "The purser keeps the chest. Dogs bark. The purser counts the chest every evening.";
    expect(answerTo(`Summarise in one sentence: ${text}`).text).toBe(
      "Sandbox summary: The purser keeps the chest.",
    );
    expect(answerTo(`${text}\nSummarize that`).text).toBe(
      "Sandbox summary: The purser keeps the chest. The purser counts the chest every evening.",
    );
    expect(answerTo("Summarise").text).toContain("no text here");
  });

  test("that summarises in bullet points, if they are asked for, starts a line with each", () => {
    const text = "The purser keeps the chest. Dogs bark. The purser counts the chest every evening.";
    for (const asked of ["2 bullet points", "two bullets"]) {
      expect(answerTo(`Summarise this in ${asked}: ${text}`).text).toBe(
        "Sandbox summary:\n- The purser keeps the chest.\n- The purser counts the chest every evening.",
      );
    }
    expect(answerTo(`${text}\nSummarise that in 1 bullet point`).text).toContain(":\n- The purser");
    expect(answerTo("Summarise in one sentence: Bullet points help.").text).not.toContain("- ");
  });

  test("of a requested length has that many words", () => {
    const { text } = answerTo("Write 120 words about the sea");
    expect(text.split(/\s+/)).toHaveLength(120);
  });

  test("is the same for the same prompt", () => {
    expect(answerTo("Explain monads")).toEqual(answerTo("Explain monads"));
  });

  test("lists the attachments, at most eight by name", () => {
    expect(answerTo("Hello", ["an image", "a.pdf"]).text).toContain("(Received: an image, a.pdf;");
    expect(answerTo("Hello", Array(200).fill("an image")).text).toContain("an image, 192 more;");
  });

  test("never quotes half a character", () => {
    expect(answerTo("😀".repeat(200)).text.isWellFormed()).toBe(true);
  });

  test.each([" ", "a", "a ", "say ", "list ", "\n", "1,", "(", "'", ". ", "sum up:", "\ud800"])(
    "to 1 MB of %j comes quickly",
    (unit) => {
      const prompt = unit.repeat(1_000_000 / unit.length);
      expect(fastestMs(() => answerTo(prompt), 3, 100)).toBeLessThan(100);
    },
  );
});
