import { describe, expect, test } from "bun:test";
import { estimateTokens } from "../../../../compaction/src/index.ts";
import { fastestMs } from "../../../../test/fastest.ts";
import type { ChatMessage, ReasoningPart } from "../../contract/index.ts";
import { credits } from "../../kit/index.ts";
import { quote } from "../chat-call-testing.ts";
import type { ChatPrompt } from "./chat-prompt.ts";
import { hasReasoning, unsentReasoningTokens } from "./unsent-reasoning.ts";

const FIRST = "The answer must be somewhere in the second file. ".repeat(40);
const SECOND = "So that one is read before anything else is said. ".repeat(40);
const thinking = (...reasoning: ReasoningPart[]): ChatMessage => ({
  role: "assistant",
  content: "Well.",
  reasoning,
});
const both = thinking({ text: FIRST }, { text: SECOND });
const unsent = (message: ChatMessage, sent: Record<string, unknown> | null) =>
  unsentReasoningTokens([{ role: "user", content: "hi" }, message], sent, estimateTokens);

test("hasReasoning is true only if a message has a reasoning part", () => {
  expect(hasReasoning([{ role: "user", content: "hi" }, thinking()])).toBe(false);
  expect(hasReasoning([thinking({ text: "" })])).toBe(true);
});

describe("reasoning counts as sent if an assistant message was sent with it", () => {
  const withThoughts = (...turns: object[]) => ({
    messages: turns.map((turn) => ({ role: "assistant", content: FIRST, ...turn })),
  });

  test("and ten thousand messages are checked within 150 ms, found or not", () => {
    const turns = Array.from({ length: 10_000 }, (_, number) => `thought ${number}`);
    const messages = turns.map((text) => thinking({ text }));
    const found = withThoughts(...turns.map((text) => ({ reasoning_content: text })));
    const other = withThoughts(...turns.map((text) => ({ reasoning_content: `other ${text}` })));
    expect(unsentReasoningTokens(messages, found, estimateTokens)).toBe(0);
    expect(unsentReasoningTokens(messages, other, estimateTokens)).toBeGreaterThan(10_000);
    const both = () => [
      unsentReasoningTokens(messages, found, estimateTokens),
      unsentReasoningTokens(messages, other, estimateTokens),
    ];
    expect(fastestMs(both, 3, 150)).toBeLessThan(150);
  });

  test("as one text, or each part on its own", () => {
    expect(unsent(both, withThoughts({ reasoning_content: FIRST + SECOND }))).toBe(0);
    expect(unsent(both, withThoughts({ reasoning_details: [{ text: FIRST }, { text: SECOND }] }))).toBe(0);
    expect(unsent(both, withThoughts({ reasoning: SECOND }))).toBe(estimateTokens(FIRST));
  });

  test("but not if the same text is elsewhere, signed or not", () => {
    const signed = thinking({ text: FIRST, signature: "acme/x" });
    expect(unsent(both, withThoughts({}))).toBe(estimateTokens(FIRST) + estimateTokens(SECOND));
    expect(unsent(signed, withThoughts({}))).toBe(estimateTokens(FIRST));
    expect(unsent(both, { input: [{ type: "message", role: "user", content: FIRST + SECOND }] })).toBe(
      estimateTokens(FIRST) + estimateTokens(SECOND),
    );
  });

  test("and each occurrence counts for one message only", () => {
    const twice = [thinking({ text: FIRST }), thinking({ text: FIRST })];
    const once = withThoughts({}, { reasoning_content: FIRST });
    expect(unsentReasoningTokens(twice, once, estimateTokens)).toBe(estimateTokens(FIRST));
    expect(
      unsentReasoningTokens(twice, withThoughts({ reasoning: FIRST }, { reasoning: FIRST }), estimateTokens),
    ).toBe(0);
  });
});

test("if it is unknown what was sent, only signed reasoning counts as sent", () => {
  const message = thinking({ text: FIRST, signature: "acme/x" }, { text: SECOND });
  expect(unsent(message, null)).toBe(estimateTokens(SECOND));
});

describe("a call with earlier reasoning", () => {
  const wire: NonNullable<ChatPrompt["wire"]> = {
    kind: "responses",
    body: {},
    texts: { isFixed: () => true, rewrite: () => ({}) },
  };
  const said = (message: ChatMessage) =>
    quote({ messages: [message, { role: "user", content: "go" }], wire });
  const TAKEN = { messages: [{ role: "assistant", reasoning_content: FIRST + SECOND }] };
  const plain = said({ role: "assistant", content: "Well." });

  function sentTo(body: Record<string, unknown> | null) {
    const chat = said(both);
    chat.requestFor(credits(1_000), "reply").wire?.onSent?.(body);
    return chat;
  }

  test("has a hold that covers all of it, and is charged for what was sent", () => {
    const [taken, left, unknown] = [sentTo(TAKEN), sentTo({ a: "hi" }), sentTo(null)];
    for (const chat of [taken, left, unknown]) {
      expect(chat.paidCall.admission.full).toBe(taken.paidCall.admission.full);
      expect(chat.paidCall.admission.full).toBeGreaterThanOrEqual(plain.paidCall.admission.full);
    }
    expect(taken.input.tokensAsSent()).toBe(
      plain.input.tokensAsSent() + estimateTokens(FIRST) + estimateTokens(SECOND),
    );
    expect([left.input.tokensAsSent(), unknown.input.tokensAsSent()]).toEqual([
      plain.input.tokensAsSent(),
      plain.input.tokensAsSent(),
    ]);
  });

  test("is learned from only if all of it was sent", () => {
    expect(sentTo(TAKEN).input.learnableAsSent()).not.toBeNull();
    expect([sentTo({ a: "hi" }).input.learnableAsSent(), sentTo(null).input.learnableAsSent()]).toEqual([
      null,
      null,
    ]);
  });
});
