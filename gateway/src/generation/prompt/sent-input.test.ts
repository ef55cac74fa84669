import { expect, test } from "bun:test";
import { estimateTokens } from "../../../../compaction/src/index.ts";
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
  expect(createSentInput({ messages: [] })).toBeNull();
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

test("earlier reasoning is unsent unless the sent body contains it", () => {
  const input = createSentInput({
    messages: [{ role: "assistant", content: "x", reasoning: [{ text: TEXT }] }],
  });
  expect([input?.unsentTokens(estimateTokens), input?.unseenTokens()]).toEqual([estimateTokens(TEXT), 0]);
  input?.onSent({ messages: [{ role: "assistant", reasoning: TEXT }] });
  expect([input?.unsentTokens(estimateTokens), input?.unseenTokens()]).toEqual([0, 0]);
});
