import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { wholeCharacters } from "../../kit/index.ts";
import { readJson } from "../body/json-testing.ts";
import { createEdge } from "../testing.ts";
import { wholeChatResults } from "./whole-results.ts";

const CHAT = "/v1/chat/completions";
const RESPONSES = "/v1/responses";
const NUL = ": must not contain the character NUL (\\u0000)";
const HALF = ": must not contain half of a surrogate pair";

const CALLED = { id: "c1", type: "function", function: { name: "find", arguments: "{}" } };
const chatWith = (...results: readonly object[]) => ({
  model: "acme-chat",
  messages: [
    { role: "user", content: "Look" },
    { role: "assistant", content: null, tool_calls: [CALLED] },
    ...results,
  ],
});
const responseWith = (...results: readonly object[]) => ({
  model: "acme-chat",
  input: [
    { role: "user", content: "Look" },
    { type: "function_call", call_id: "c1", name: "find", arguments: "{}" },
    { type: "custom_tool_call", call_id: "c2", name: "sh", input: "x" },
    ...results,
  ],
});
const RESULT = { role: "tool", tool_call_id: "c1" };
const OUTPUT = { type: "function_call_output", call_id: "c1" };

const edge = createEdge();

/** The error message, or the body as an upstream of the same wire would get it. */
async function sent(path: string, text: string): Promise<unknown> {
  const response = await edge.send(path, { body: text });
  const reply = (await response.json()) as { error?: { message: string } };
  return response.ok ? edge.calls.at(-1)?.prompt.wire?.body : reply.error?.message;
}

const placesOf = (path: string, bad: readonly string[]) => {
  const [a = "", b = "", c = "", d = ""] = bad;
  return path === CHAT
    ? chatWith(
        { ...RESULT, content: a },
        { ...RESULT, content: [{ type: "text", text: b }, c] },
        { role: "function", name: "find", content: d },
      )
    : responseWith(
        { ...OUTPUT, output: a },
        {
          ...OUTPUT,
          type: "custom_tool_call_output",
          call_id: "c2",
          output: [{ type: "input_text", text: b }],
        },
        { type: "shell_call_output", call_id: "c3", output: [{ stdout: c, stderr: d }] },
      );
};

describe.each([CHAT, RESPONSES])("a tool result sent to %s", (path) => {
  test("is passed on with U+FFFD in place of NUL and lone surrogates", async () => {
    const bad = ["a\0b", "\ud83d cut", "\udc00\ud83d\0😀", "\0"];
    const whole = ["a\ufffdb", "\ufffd cut", "\ufffd\ufffd\ufffd😀", "\ufffd"];
    expect(await sent(path, JSON.stringify(placesOf(path, bad)))).toEqual(placesOf(path, whole));
  });

  test("does not exempt other texts of the request: NUL and lone surrogates there are refused", async () => {
    for (const [bad, words] of [
      ["\0", NUL],
      ["x\ud83d", HALF],
    ] as const) {
      for (const [name, body] of Object.entries(badBesides(path, bad)))
        expect([name, await sent(path, JSON.stringify(body))]).toEqual([
          name,
          expect.stringContaining(words),
        ]);
    }
  });

  test("is refused in a body that is nested too deep or repeats a key", async () => {
    const [field, result] = path === CHAT ? ["messages", RESULT] : ["input", OUTPUT];
    const text = path === CHAT ? "content" : "output";
    const said = JSON.stringify({ ...result, [text]: "\0" });
    const body = (more: string) => `{"model":"acme-chat","${field}":[${said}]${more}}`;
    expect(await sent(path, body(',"model":"acme-chat"'))).toBe(
      "model: must not be given twice in one object",
    );
    expect(await sent(path, body(`,"x":${"[".repeat(64)}${"]".repeat(64)}`))).toContain("nested deeper");
  });

  test("is the only place where bad characters are accepted, and they are replaced there", async () => {
    const texts = fc.string({
      unit: fc.constantFrom("a", "\0", "\ud83d", "\ude00", "😀", "\\", '"', "\\u0000", "é"),
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 4, maxLength: 4 }),
        fc.oneof({ weight: 3, arbitrary: fc.constant("") }, texts),
        fc.nat(),
        async (inResults, beside, pick) => {
          const places = Object.values(badBesides(path, beside, placesOf(path, inResults)));
          const body = JSON.stringify(places[pick % places.length]);
          const isBad = beside.includes("\0") || !beside.isWellFormed();
          const words = beside.includes("\0") ? NUL : HALF;
          expect(await sent(path, body)).toEqual(
            isBad ? expect.stringContaining(words) : JSON.parse(wholeCharacters(body)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Bodies with the bad text in each place, one at a time, that is not the text of a tool result. */
function badBesides(path: string, bad: string, body: object = placesOf(path, ["ok", "ok", "ok", "ok"])) {
  const list = path === CHAT ? "messages" : "input";
  const items = (body as Record<string, readonly object[]>)[list] ?? [];
  const withItem = (...more: readonly object[]) => ({ ...body, [list]: [...items, ...more] });
  const result = { ...RESULT, ...OUTPUT, content: "ok", output: "ok" };
  return {
    "a user's text": withItem({ role: "user", content: `x${bad}` }),
    "a user's part": withItem({
      role: "user",
      content: [{ type: path === CHAT ? "text" : "input_text", text: bad }],
    }),
    "a system's text": withItem({ role: "system", content: bad }),
    "the id of a result": withItem({ ...result, tool_call_id: `c${bad}`, call_id: `c${bad}` }),
    "a field of a result": withItem({ ...result, name: `n${bad}` }),
    "a key of a result": withItem({ ...result, [`k${bad}`]: 1 }),
    "another field of its part": withItem({
      ...RESULT,
      ...OUTPUT,
      content: [{ type: "text", text: "", detail: bad }],
      output: [{ type: "input_text", text: "", detail: bad }],
    }),
    "a result's text under another wire's name": withItem(
      path === CHAT
        ? { role: "user", content: "x", output: bad, type: "function_call_output" }
        : { type: "message", role: "user", content: [{ type: "input_text", text: "x", output: bad }] },
    ),
    "a field of the body": { ...body, user: bad },
    "a list of another name": {
      ...body,
      [path === CHAT ? "input" : "messages"]: [{ ...result, content: bad, output: bad }],
    },
  };
}

test.each(["/functions/v1/api-v1-chat"])(
  "the main interface refuses NUL and lone surrogates: %s",
  async (path) => {
    for (const [bad, words] of [
      ["\0", NUL],
      ["\ud83d", HALF],
    ] as const) {
      const body = JSON.stringify(chatWith({ ...RESULT, content: bad }));
      const response = await edge.send(path, { body });
      expect(JSON.stringify(await response.json())).toContain(JSON.stringify(words).slice(1, -1));
    }
  },
);

test("replacing bad characters takes at most twice as long as refusing them, plus 40 ms", () => {
  const nul = JSON.stringify("\0".repeat(500_000));
  const parts = Array(200_000).fill('"\\u0000"').join(",");
  for (const [content, isTaken] of [
    [nul, true],
    [nul.replaceAll("\\u0000", "a\\u0000"), true],
    [`[${parts}]`, false],
  ] as const) {
    const bytes = new TextEncoder().encode(`{"messages":[{"role":"tool","content":${content}}]}`);
    expect(readJson(bytes, 64, wholeChatResults).ok).toBe(isTaken);
    const refusedMs = fastestMs(() => readJson(bytes, 64), 5, 0);
    const mostMs = 2 * refusedMs + 40;
    expect(
      fastestMs(() => readJson(bytes, 64, wholeChatResults), 5, mostMs),
      content.slice(0, 20),
    ).toBeLessThan(mostMs);
  }
});
