import { expect, test } from "bun:test";
import { type Conversation, createConversation } from "./conversation.ts";
import { NO_PLACE } from "./item-texts.ts";

const CALL = { id: "c1", name: "f", arguments: "{}" };

/** A turn of two texts with reasoning before each, in one of the ways in which reasoning comes back. */
function tellTurn(conversation: Conversation, think: "thought" | "echoed"): void {
  conversation[think]([{ text: "first" }]);
  conversation.readsItem(1);
  conversation.said("A.");
  conversation[think]([{ text: "second" }]);
  conversation.readsItem(3);
  conversation.said("B.");
  conversation.called(CALL);
}

test.each(["thought", "echoed"] as const)(
  "unsigned reasoning between two texts leaves them in one message: %s",
  (think) => {
    const conversation = createConversation();
    tellTurn(conversation, think);
    expect(conversation.messages()).toEqual([
      {
        role: "assistant",
        content: "A.\n\nB.",
        reasoning: [{ text: "first" }, { text: "second" }],
        toolCalls: [CALL],
      },
    ]);
    expect(conversation.places).toEqual([NO_PLACE]);
  },
);

test("with any signed reasoning, texts stay in messages of their own, each with its reasoning", () => {
  const conversation = createConversation();
  tellTurn(conversation, "thought");
  conversation.thought([{ text: "", signature: "s" }]);
  expect(conversation.messages()).toEqual([
    { role: "assistant", content: "A.", reasoning: [{ text: "first" }, { text: "second" }] },
    { role: "assistant", content: "B.", reasoning: [{ text: "", signature: "s" }], toolCalls: [CALL] },
  ]);
  expect(conversation.places).toEqual([1, 3]);
});

test("empty reasoning does not join two texts, and neither does reasoning before the first one", () => {
  const conversation = createConversation();
  conversation.thought([{ text: "first" }]);
  conversation.said("A.");
  conversation.echoed([]);
  conversation.said("B.");
  expect(conversation.messages().map(({ content }) => content)).toEqual(["A.", "B."]);
});

test("a user message ends the assistant's turn, whatever reasoning it has", () => {
  const conversation = createConversation();
  conversation.said("A.");
  conversation.thought([{ text: "second" }]);
  conversation.add({ role: "user", content: "hi" });
  conversation.said("B.");
  expect(conversation.messages().map(({ content }) => content)).toEqual(["A.", "hi", "B."]);
});
