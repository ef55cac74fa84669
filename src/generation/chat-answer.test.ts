import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatEvent } from "../providers/index.ts";
import { createChatAnswer } from "./chat-answer.ts";

const target = "sandbox/sandbox-chat";
const usage = { inputTokens: 3, outputTokens: 5 };

function answerTo(...batches: ChatEvent[][]) {
  const answer = createChatAnswer();
  for (const events of batches) answer.add({ target, events });
  return answer;
}

const piece = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string() }),
  fc.record({ type: fc.constant("reasoning" as const), text: fc.string() }),
  fc.record({ type: fc.constant("refusal" as const), text: fc.string() }),
  fc.record({ type: fc.constant("tool_arguments" as const), call: fc.nat(3), text: fc.string() }),
);

describe("an answer", () => {
  test("before its first byte is empty and comes from nowhere", () => {
    const { text, written, characters, finish, target } = createChatAnswer();
    expect([text, written, characters, finish, target]).toEqual(["", "", 0, null, ""]);
  });

  test("is the same however its pieces were batched", () => {
    fc.assert(
      fc.property(fc.array(piece), (events) => {
        const alone = answerTo(...events.map((event) => [event]));
        const together = answerTo(events);
        expect(alone.text).toBe(together.text);
        expect(alone.written).toBe(together.written);
        expect(alone.characters).toBe(alone.written.length);
      }),
    );
  });

  test("counts everything the model wrote, and shows only its text", () => {
    const answer = answerTo(
      [{ type: "reasoning", text: "Hm. " }],
      [
        { type: "text", text: "Yes" },
        { type: "tool_start", call: 0, id: "c", name: "look" },
        { type: "tool_arguments", call: 0, text: "{}" },
        { type: "reasoning_signature", signature: "sealed" },
        { type: "logprobs", content: [1, 2] },
      ],
      [
        { type: "text", text: "." },
        { type: "refusal", text: "No" },
      ],
    );
    expect([answer.text, answer.written, answer.characters]).toEqual(["Yes.", "Hm. Yes{}.No", 12]);
    expect(answer.finish).toBeNull();
  });

  test("knows how it ended, what was reported and where it came from", () => {
    const answer = answerTo([{ type: "text", text: "a" }], [{ type: "finish", reason: "length", usage }]);
    expect([answer.finish, answer.target]).toEqual([{ reason: "length", usage }, target]);
    expect(answerTo([{ type: "finish", reason: "stop", usage: null }]).finish).toEqual({
      reason: "stop",
      usage: null,
    });
  });

  test("can be read again while it grows", () => {
    const answer = answerTo([{ type: "text", text: "a" }]);
    expect(answer.text).toBe("a");
    answer.add({ target, events: [{ type: "text", text: "b" }] });
    expect([answer.text, answer.characters]).toEqual(["ab", 2]);
  });
});
