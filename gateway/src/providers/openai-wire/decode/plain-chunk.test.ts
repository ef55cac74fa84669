import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createPlainChunks, type PlainChunks } from "./plain-chunk.ts";

const chunk = (content: unknown, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    id: "c1",
    model: "m",
    choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }],
  });

function taught(data: string) {
  const plain = createPlainChunks();
  learnFrom(plain, data);
  return plain;
}

/** Learns from a chunk whose text was reported at once. */
function learnFrom(plain: PlainChunks, data: string) {
  const chunk = JSON.parse(data);
  const { content, reasoning, reasoning_content: thought, tool_calls: calls } = chunk.choices[0].delta;
  plain.learn(data, chunk, content || reasoning || thought || calls?.[0].function.arguments);
}

describe("the fast path for plain chunks", () => {
  test("returns the text of a chunk that differs only in its text", () => {
    expect(taught(chunk("Hello")).wordsOf(chunk(" wörld 漢字"))).toBe(" wörld 漢字");
  });

  test.each(['say "x"', "a\nb", "\\", "\u0007", "\u{1F642}", '{"x":1}'])("unescapes text: %j", (words) => {
    const plain = taught(chunk("Hello"));
    expect(plain.wordsOf(chunk(words))).toBe(words);
    expect(JSON.parse(`"${plain.raw}"`)).toBe(words);
  });

  test.each([
    ["reasoning_content", (words: string) => ({ reasoning_content: words })],
    ["reasoning", (words: string) => ({ content: "", reasoning: words })],
    ["arguments", (words: string) => ({ tool_calls: [{ index: 1, function: { arguments: words } }] })],
  ])("recognizes other fields with text: %s", (_, write) => {
    const data = (words: string) => JSON.stringify({ choices: [{ index: 0, delta: write(words) }] });
    expect(taught(data("Hello")).wordsOf(data('{"x'))).toBe('{"x');
  });

  test("recognizes chunks with padding, whatever that contains, unless it is escaped", () => {
    const padded = (words: string, obfuscation: string) =>
      JSON.stringify({ choices: [{ index: 0, delta: { content: words } }], usage: null, obfuscation });
    const plain = taught(padded("Hello", "xY1"));
    expect(plain.wordsOf(padded('a"b', ""))).toBe('a"b');
    expect(plain.padding).toBe("");
    expect(plain.wordsOf(padded("c", "Zz9-_"))).toBe("c");
    expect(plain.padding).toBe("Zz9-_");
    expect(plain.wordsOf(padded("c", 'say "x"'))).toBeNull();
    expect(plain.wordsOf(padded("c", "p").replace("null", "{}"))).toBeNull();
  });

  test("learns from a chunk with escaped text", () => {
    expect(taught(chunk('"\n')).wordsOf(chunk("Hello"))).toBe("Hello");
  });

  test("forgets what it learned when told to", () => {
    const plain = taught(chunk("Hello"));
    plain.forget();
    expect(plain.wordsOf(chunk("Hello"))).toBeNull();
  });

  test.each([
    ["a finish reason", chunk("x", { finish_reason: "stop" })],
    ["log probabilities", chunk("x", { logprobs: { content: [] } })],
    ["empty text", chunk("")],
    ["another index", chunk("x", { index: 1 })],
    ["another id", chunk("x").replace("c1", "c2")],
    ["null content", chunk(null)],
    ["its last character missing", chunk("x").slice(0, -1)],
  ])("leaves a chunk with %s to the parser", (_, data) => {
    expect(taught(chunk("Hello")).wordsOf(data)).toBeNull();
  });

  test.each([
    ["a finish reason", chunk("x", { finish_reason: "stop" })],
    ["a tool call", JSON.stringify({ choices: [{ index: 0, delta: { content: "x", tool_calls: [{}] } }] })],
    [
      "usage",
      JSON.stringify({ choices: [{ index: 0, delta: { content: "x" } }], usage: { prompt_tokens: 1 } }),
    ],
    ["an error", JSON.stringify({ choices: [{ index: 0, delta: { content: "x" } }], error: {} })],
    ["content given twice", '{"choices":[{"delta":{"content":"x","content":"x"}}]}'],
  ])("learns nothing from a chunk with %s", (_, data) => {
    expect(taught(data).wordsOf(data)).toBeNull();
  });

  test.each([",", ":", "m", "content", "id", "0", "}", "c1"])(
    "is not misled by text that also occurs elsewhere in the chunk: %j",
    (words) => {
      const plain = taught(chunk(words));
      expect(plain.wordsOf(chunk("Hello"))).toBe("Hello");
      expect(plain.wordsOf(chunk("x", { finish_reason: "stop" }))).toBeNull();
    },
  );

  test.each(["", "Hell", "Hello!"])(
    "learns nothing from a chunk whose text was not reported unchanged: %j",
    (told) => {
      const plain = createPlainChunks();
      expect(plain.learn(chunk("Hello"), JSON.parse(chunk("Hello")), told)).toBeNull();
      expect(plain.wordsOf(chunk("Hello"))).toBeNull();
    },
  );

  test("stops learning in a stream whose chunks all differ", () => {
    const plain = createPlainChunks();
    const noisy = Array.from({ length: 50 }, (_, at) => chunk("x").replace("c1", `id${at}`));
    for (const data of noisy) learnFrom(plain, data);
    expect(plain.wordsOf(noisy.at(-1) ?? "")).toBeNull();
  });

  test("agrees with the parser on every chunk that it reads", () => {
    const shape = fc.constantFrom(
      (content: string) => chunk(content),
      (content: string) =>
        JSON.stringify(
          { choices: [{ delta: { role: "assistant", content }, index: 0 }], usage: null },
          null,
          1,
        ),
      (content: string) => `{"choices":[{"delta":{"content":"${content}"}}],"content":"m"}`,
      (content: string) =>
        JSON.stringify({ choices: [{ delta: { content } }], obfuscation: content.slice(0, 2) }),
      (content: string) =>
        `{"choices":[{"delta":{"content":"${content}"}}],"obfuscation":"${content.slice(1)}","x":1}`,
      (content: string) => `{"content":"${content}","choices":[{"delta":{"content":"${content}"}}]}`,
    );
    const words = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom(",", ":", '"', "\\", "content", "m"),
    );
    fc.assert(
      fc.property(shape, fc.array(words, { minLength: 2, maxLength: 12 }), (write, texts) => {
        const plain = createPlainChunks();
        for (const data of texts.map(write)) {
          const parsed = parse(data);
          const short = plain.wordsOf(data);
          if (short !== null) expect(short).toBe(parsed?.choices[0].delta.content);
          if (short === null && parsed !== null) learnFrom(plain, data);
        }
      }),
    );
  });
});

function parse(data: string) {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
