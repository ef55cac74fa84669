import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../contract.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";
import { WIRE_VENDORS } from "../vendors.ts";

const { mistral, together } = WIRE_VENDORS;
const ASK: ChatMessage = { role: "user", content: "Look." };
const RULE: ChatMessage = { role: "system", content: "Be brief." };
const LATE: ChatMessage = { role: "developer", content: "It is late." };
const SAID: ChatMessage = { role: "assistant", content: "Yes." };
const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "c12345678", name: "look", arguments: "{}" }],
};
const CALL_ON_WIRE = {
  role: "assistant",
  tool_calls: [{ id: "c12345678", type: "function", function: { name: "look", arguments: "{}" } }],
};
const RESULT: ChatMessage = { role: "tool", toolCallId: "c12345678", content: "A cat." };
const RESULT_ON_WIRE = { role: "tool", tool_call_id: "c12345678", content: "A cat." };

/** Who says what, by both doors. */
function sent(neutral: readonly ChatMessage[], vendor: WireVendor = mistral): readonly string[] {
  const messages = neutral.map((message) =>
    message === CALL ? CALL_ON_WIRE : message === RESULT ? RESULT_ON_WIRE : message,
  );
  const [translated, passedOn] = [
    bodyFor({ messages: neutral }, { vendor }),
    wireBodyFor({ messages }, { vendor, neutral }),
  ].map((body) =>
    (body["messages"] as { role: string; content?: string | null }[]).map(
      ({ role, content }) => `${role}: ${content ?? "(a call)"}`,
    ),
  );
  expect(passedOn).toEqual(translated);
  return translated ?? [];
}

describe("to a server that is strict about who speaks after whom", () => {
  test("the model says a word between a result and the user", () => {
    expect(sent([ASK, CALL, RESULT, ASK, SAID, ASK])).toEqual([
      "user: Look.",
      "assistant: (a call)",
      "tool: A cat.",
      "assistant: I have the result.",
      "user: Look.",
      "assistant: Yes.",
      "user: Look.",
    ]);
  });

  test("instructions after an answer stay there, as words of the user", () => {
    expect(sent([RULE, ASK, SAID, LATE, RULE, ASK])).toEqual([
      "system: Be brief.",
      "user: Look.",
      "assistant: Yes.",
      "user: It is late.",
      "user: Be brief.",
      "user: Look.",
    ]);
  });

  test("instructions after a result follow the model's word", () => {
    expect(sent([ASK, CALL, RESULT, LATE])).toEqual([
      "user: Look.",
      "assistant: (a call)",
      "tool: A cat.",
      "assistant: I have the result.",
      "user: It is late.",
    ]);
  });

  test("what it takes stays as it is", () => {
    expect(sent([RULE, LATE, ASK, RULE, CALL, RESULT])).toEqual([
      "system: Be brief.",
      "system: It is late.",
      "user: Look.",
      "system: Be brief.",
      "assistant: (a call)",
      "tool: A cat.",
    ]);
  });
});

test("all others get any order", () => {
  expect(sent([ASK, CALL, RESULT, ASK, SAID, RULE], together)).toEqual([
    "user: Look.",
    "assistant: (a call)",
    "tool: A cat.",
    "user: Look.",
    "assistant: Yes.",
    "system: Be brief.",
  ]);
});
