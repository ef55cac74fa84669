import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../contract.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";
import { WIRE_VENDORS } from "../vendors.ts";

const { mistral, together } = WIRE_VENDORS;
const ASK: ChatMessage = { role: "user", content: "Look." };
const BEGUN: ChatMessage = { role: "assistant", content: "{" };
const CALL: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "c12345678", name: "look", arguments: "{}" }],
};
const CALL_ON_WIRE = {
  role: "assistant",
  tool_calls: [{ id: "c12345678", type: "function", function: { name: "look", arguments: "{}" } }],
};

/** What is sent on both paths. */
function sent(neutral: readonly ChatMessage[], vendor: WireVendor): readonly unknown[][] {
  const messages = neutral.map((message) => (message === CALL ? CALL_ON_WIRE : message));
  const bodies = [bodyFor({ messages: neutral }, { vendor }), wireBodyFor({ messages }, { vendor, neutral })];
  return bodies.map((body) => body["messages"] as unknown[]);
}

describe("an assistant message that the client began", () => {
  test("is marked as a prefix for a vendor that requires it", () => {
    for (const messages of sent([ASK, BEGUN], mistral)) {
      expect(messages).toEqual([ASK, { role: "assistant", content: "{", prefix: true }]);
    }
  });

  test("is marked only if it is the last message and has no calls", () => {
    for (const talk of [
      [ASK, BEGUN, ASK],
      [ASK, CALL],
    ]) {
      for (const message of sent(talk, mistral).flat()) expect(message).not.toHaveProperty("prefix");
    }
  });

  test.each([[""], [null]])("is not marked if its content is empty: %j", (content) => {
    const silent: ChatMessage = { role: "assistant", content };
    for (const messages of sent([ASK, silent], mistral)) {
      expect(messages).toHaveLength(2);
      expect(messages.at(-1)).not.toHaveProperty("prefix");
    }
  });

  test("is sent unchanged to other vendors", () => {
    for (const messages of sent([ASK, BEGUN], together)) expect(messages).toEqual([ASK, BEGUN]);
  });
});
