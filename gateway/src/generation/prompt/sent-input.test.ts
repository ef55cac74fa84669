import { describe, expect, test } from "bun:test";
import { estimateTokens } from "../../../../compaction/src/index.ts";
import type { ChatMessage, ReasoningPart } from "../../contract/index.ts";
import { credits } from "../../kit/index.ts";
import { quote } from "../chat-call-testing.ts";
import type { ChatPrompt } from "./chat-prompt.ts";
import { createSentInput } from "./sent-input.ts";

const TEXT = "What only the upstream reads, in so many words.";

function unseen(unseenTokens = 1_000) {
  const made = createSentInput({
    messages: [],
    unseenTokens,
    unseenIn: ({ body }) => ({ text: body["input"] === TEXT ? TEXT : "", sealedCharacters: 13 }),
  });
  if (made === null) throw new Error("there is something to see");
  return made;
}

test("a prompt without unseen text and reasoning has no sent input", () => {
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "Well." },
  ];
  expect(createSentInput({ messages })).toBeNull();
});

test("unseen text that was sent counts by its words, and encrypted content by its length", () => {
  const input = unseen();
  input.onSent({ input: TEXT });
  expect(input.unseenTokens()).toBe(estimateTokens(TEXT) + 3);
  expect(input.unsentTokens(estimateTokens)).toBe(0);
});

test("unseen text never counts as more than was held for it", () => {
  const input = unseen(2);
  input.onSent({ input: TEXT });
  expect(input.unseenTokens()).toBe(2);
});

test("a body that went to a target that did not answer counts as 0", () => {
  const input = unseen();
  expect(input.unseenTokens()).toBe(0);
  input.onSent({ input: TEXT });
  input.onSent(null);
  expect(input.unseenTokens()).toBe(0);
});

const FIRST = "The answer must be somewhere in the second file. ".repeat(40);
const SECOND = "So that one is read before anything else is said. ".repeat(40);
const [FIRST_TOKENS, SECOND_TOKENS] = [estimateTokens(FIRST), estimateTokens(SECOND)];
const thinking = (...reasoning: ReasoningPart[]): ChatMessage => ({
  role: "assistant",
  content: "Well.",
  reasoning,
});
const both = thinking({ text: FIRST }, { text: SECOND });

function unsent(message: ChatMessage, sent: Record<string, unknown> | null): number | undefined {
  const input = createSentInput({ messages: [{ role: "user", content: "hi" }, message] });
  input?.onSent(sent);
  return input?.unsentTokens(estimateTokens);
}

test("earlier reasoning counts as sent as one text, or each part on its own", () => {
  const turnWith = (fields: object) => ({ messages: [{ role: "assistant", content: "Well.", ...fields }] });
  expect(unsent(both, turnWith({ reasoning_content: FIRST + SECOND }))).toBe(0);
  expect(unsent(both, turnWith({ reasoning_details: [{ text: FIRST }, { text: SECOND }] }))).toBe(0);
  expect(unsent(both, turnWith({ reasoning: SECOND }))).toBe(FIRST_TOKENS);
  expect(unsent(both, turnWith({}))).toBe(FIRST_TOKENS + SECOND_TOKENS);
  expect(unsent(thinking({ text: FIRST }), turnWith({}))).toBe(FIRST_TOKENS);
});

test("if it is unknown what was sent, only signed reasoning counts as sent", () => {
  const message = thinking({ text: FIRST, signature: "acme/x" }, { text: SECOND });
  expect(unsent(message, null)).toBe(SECOND_TOKENS);
  expect(unsent(message, {})).toBe(FIRST_TOKENS + SECOND_TOKENS);
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
    expect(taken.input.tokensAsSent()).toBe(plain.input.tokensAsSent() + FIRST_TOKENS + SECOND_TOKENS);
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
