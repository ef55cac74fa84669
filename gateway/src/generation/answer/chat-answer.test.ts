import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import type { ChatEvent } from "../../contract/index.ts";
import { eventsOf } from "./answer-events.ts";
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
  fc.record({ type: fc.constant("reasoning_signature" as const), signature: fc.constantFrom("s", "t") }),
  fc.record({ type: fc.constant("logprobs" as const), content: fc.array(fc.nat()) }),
  fc.record({ type: fc.constant("annotations" as const), content: fc.array(fc.nat(), { minLength: 1 }) }),
  fc.record({
    type: fc.constant("tool_start" as const),
    call: fc.nat(3),
    id: fc.string(),
    name: fc.string(),
  }),
  fc.record({ type: fc.constant("tool_arguments" as const), call: fc.nat(3), text: fc.string() }),
);

describe("an answer", () => {
  test("is empty and has no target before its first byte", () => {
    const { written, characters, finish, target } = createChatAnswer();
    expect([written, characters, finish, target]).toEqual(["", 0, null, ""]);
  });

  test("is the same however its events were batched", () => {
    fc.assert(
      fc.property(fc.array(piece), (events) => {
        const alone = answerTo(...events.map((event) => [event]));
        const together = answerTo(events);
        expect(alone.whole("stop")).toEqual(together.whole("stop"));
        expect(alone.written).toBe(together.written);
        expect(alone.characters).toBe(alone.written.length);
      }),
    );
  });

  test("counts everything the model wrote, and keeps each kind of content apart", () => {
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
    expect([answer.written, answer.characters]).toEqual(["Hm. Yeslook{}.No", 16]);
    expect(answer.finish).toBeNull();
    expect(answer.whole("length")).toEqual([
      {
        content: "Yes.",
        refusal: "No",
        reasoning: [{ text: "Hm. ", signature: "sealed" }],
        toolCalls: [{ id: "c", name: "look", arguments: "{}" }],
        logprobs: [1, 2],
        order: ["thought", 3, { call: 0 }, 1, { refusal: 2 }],
        begun: [{ characters: 4, signatures: 0 }],
        finishReason: "length",
      },
    ]);
  });

  test("with several choices keeps each at its index, with its own finish reason", () => {
    const answer = answerTo(
      [
        { type: "text", text: "b", index: 1 },
        { type: "text", text: "a" },
      ],
      [{ type: "finish", reason: "stop", reasons: ["stop", "length"], usage }],
    );
    const ends = answer.whole("stop").map(({ content, finishReason }) => [content, finishReason]);
    expect(ends).toEqual([
      ["a", "stop"],
      ["b", "length"],
    ]);
  });

  test("with an impossible index has at most 128 choices, and its text is still counted", () => {
    const answer = answerTo([{ type: "text", text: "lost", index: 2 ** 40 }]);
    expect(answer.whole("stop").length).toBeLessThanOrEqual(128);
    expect(answer.characters).toBe(4);
  });

  test("in the caller's own wire is counted, and marked as such", () => {
    const answer = answerTo([{ type: "wire", members: '"choices":[]', written: "abc" }]);
    expect([answer.isWire, answer.written, answer.characters]).toEqual([true, "abc", 3]);
  });

  test.each([
    ["a reply that came without pieces", [], "a whole reply"],
    ["a reply with more text than the pieces before it", ["a ", "whole"], "a whole reply"],
    [
      "pieces with more text than the reply after them",
      ["a whole ", "reply, and more"],
      "a whole reply, and more",
    ],
  ])("in the caller's own wire counts %s, once", (_, pieces, written) => {
    const whole = { output: [{ content: [{ text: "a whole reply" }] }] };
    const events = pieces.map((text): ChatEvent => ({ type: "wire", members: "", written: text }));
    const answer = answerTo(events, [{ type: "finish", reason: "stop", usage: null, whole }]);
    expect(answer.written).toBe(written);
  });

  test("with more turns than are kept joins the last reasoning into one part, and loses no text", () => {
    const answer = createChatAnswer();
    const say = (...events: ChatEvent[]) => answer.add({ target: "x", events });
    for (let turn = 0; turn < 600; turn++) say({ type: "reasoning", text: "t" }, { type: "text", text: "s" });
    for (let more = 0; more < 100; more++) say({ type: "reasoning", text: "w" });
    const { reasoning = [], content } = answer.whole("stop")[0] ?? {};
    expect([reasoning.length, reasoning.at(-1)?.text.slice(-100)]).toEqual([501, "w".repeat(100)]);
    expect(reasoning.map(({ text }) => text).join("")).toBe("t".repeat(600) + "w".repeat(100));
    expect(content).toBe("s".repeat(600));
    // Signed reasoning stays as it was signed.
    say({ type: "reasoning_signature", signature: "S" }, { type: "reasoning", text: "n" });
    say({ type: "reasoning", text: "n" });
    expect(answer.whole("stop")[0]?.reasoning.slice(-2)).toMatchObject([{ signature: "S" }, { text: "nn" }]);
  });

  test("keeps the order of alternating text, reasoning and calls, and records none for the usual order", () => {
    const [answer] = answerTo([
      { type: "reasoning", text: "One" },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
      { type: "reasoning", text: "Two" },
      { type: "reasoning_signature", signature: "s" },
      { type: "tool_start", call: 0, id: "c", name: "look" },
      { type: "tool_arguments", call: 0, text: "{" },
      { type: "text", text: "c" },
    ]).whole("stop");
    expect(answer).toMatchObject({
      content: "abc",
      reasoning: [{ text: "One" }, { text: "Two", signature: "s" }],
      order: ["thought", 2, "thought", { call: 0 }, 1],
    });
    const usual = answerTo([
      { type: "reasoning", text: "One" },
      { type: "text", text: "a" },
      { type: "tool_start", call: 0, id: "c", name: "look" },
    ]);
    expect(usual.whole("stop")[0]).not.toHaveProperty("order");
  });

  test("places a call where its arguments begin, or where those of a later call begin", () => {
    const events: ChatEvent[] = [
      { type: "tool_start", call: 0, id: "a", name: "look" },
      { type: "text", text: "b" },
      { type: "tool_start", call: 1, id: "c", name: "look" },
      { type: "tool_arguments", call: 1, text: "{}" },
      { type: "text", text: "d" },
      { type: "tool_arguments", call: 0, text: "{}" },
    ];
    expect(answerTo(events).whole("stop")[0]).toMatchObject({ order: [1, { call: 0 }, { call: 1 }, 1] });
    const [empty] = answerTo(events.slice(0, 2)).whole("stop");
    expect(empty).not.toHaveProperty("order");
  });

  test("converted to events and read again is the same answer", () => {
    fc.assert(
      fc.property(fc.array(piece), (events) => {
        const whole = answerTo(events).whole("stop");
        expect(answerTo([...eventsOf(whole)]).whole("stop")).toEqual(whole.map((answer) => ({ ...answer })));
      }),
    );
  });

  test("records its finish event and its target", () => {
    const answer = answerTo([{ type: "text", text: "a" }], [{ type: "finish", reason: "length", usage }]);
    expect([answer.finish, answer.target]).toEqual([{ type: "finish", reason: "length", usage }, target]);
    expect(answerTo([{ type: "finish", reason: "stop", usage: null }]).finish).toEqual({
      type: "finish",
      reason: "stop",
      usage: null,
    });
  });

  test("can be read repeatedly while it grows", () => {
    const answer = answerTo([{ type: "text", text: "a" }]);
    expect(answer.written).toBe("a");
    answer.add({ target, events: [{ type: "text", text: "b" }] });
    expect([answer.written, answer.characters]).toEqual(["ab", 2]);
  });
});

test("an answer with 32,000 tool calls is assembled within 1.5 seconds", () => {
  const events = Array.from({ length: 32_000 }, (_, call): ChatEvent[] => [
    { type: "tool_start", call, id: `c${call}`, name: "f" },
    { type: "tool_arguments", call, text: "{}" },
  ]).flat();
  const calls = () => answerTo(events).whole("tool_calls")[0]?.toolCalls;
  expect(calls()).toHaveLength(32_000);
  expect(fastestMs(calls, 3, 1_500)).toBeLessThan(1_500);
});

test("an event with a million log probabilities or citations is kept", () => {
  const content = Array<number>(1_500_000).fill(0);
  const answer = createChatAnswer();
  answer.add({
    target: "x",
    events: [
      { type: "logprobs", content },
      { type: "annotations", content },
    ],
  });
  const [whole] = answer.whole("stop");
  expect([whole?.logprobs.length, whole?.annotations?.length]).toEqual([content.length, content.length]);
});
