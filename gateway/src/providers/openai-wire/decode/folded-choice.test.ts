import { describe, expect, test } from "bun:test";
import { decodeWhole, wholeOf } from "../testing.ts";

const CALL = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
const TEXT = { role: "assistant", content: "Let me look." };
const CALLS = { role: "assistant", tool_calls: [CALL] };
const reply = (...messages: readonly object[]) => ({
  choices: messages.map((message) => ({ message, finish_reason: "tool_calls" })),
});
const numbered = (given: ReturnType<typeof reply>) => ({
  choices: given.choices.map((choice, index) => ({ index, ...choice })),
});
const forms = (...messages: readonly object[]) => [reply(...messages), numbered(reply(...messages))];
const messagesOf = (given: ReturnType<typeof reply>) =>
  (wholeOf(given)["choices"] as readonly { message: object }[]).map(({ message }) => message);

describe("a reply with two choices although one was requested", () => {
  test.each([
    ["text first", forms(TEXT, CALLS)],
    ["calls first", forms(CALLS, TEXT)],
    ["with the text in both", forms(TEXT, { ...TEXT, ...CALLS })],
    ["with the calls in both", forms({ ...TEXT, ...CALLS }, CALLS)],
  ])("is merged into one if text and calls are in separate choices: %s", (_, given) => {
    for (const each of given) {
      expect(messagesOf(each)).toMatchObject([{ content: "Let me look.", tool_calls: [CALL] }]);
      expect(decodeWhole(each)).toEqual([
        { type: "text", text: "Let me look." },
        { type: "tool_start", call: 0, id: "c1", name: "look" },
        { type: "tool_arguments", call: 0, text: '{"at":1}' },
        { type: "finish", reason: "tool_calls", usage: null },
      ]);
    }
  });

  test.each([
    ["both with text", forms(TEXT, { content: "Or not." })],
    ["the second with other text and calls", forms(TEXT, { content: "Or not.", ...CALLS })],
    ["the second empty", forms(TEXT, {})],
  ])("is reduced to its first choice otherwise: %s", (_, given) => {
    for (const each of given) {
      const [message, ...others] = messagesOf(each);
      expect(others).toEqual([]);
      expect(message).toEqual({ ...TEXT, refusal: null });
      expect(decodeWhole(each)).toEqual([
        { type: "text", text: "Let me look." },
        { type: "finish", reason: "stop", usage: null },
      ]);
    }
  });

  test("is reduced to the choice with index 0, wherever that is in the list", () => {
    const { choices } = numbered(reply(TEXT, { content: "Or not." }));
    expect(messagesOf({ choices: choices.toReversed() })).toMatchObject([TEXT]);
  });
});
