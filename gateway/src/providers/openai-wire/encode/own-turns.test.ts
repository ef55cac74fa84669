import { describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, CALL, CALL_ON_WIRE, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { mistral, together, moonshot, xai, llamacpp } = WIRE_VENDORS;
const ASK: ChatMessage = { role: "user", content: "Look." };
const BEGUN: ChatMessage = { role: "assistant", content: "{" };

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

describe("a turn of the model without text or calls", () => {
  const silent = (content: unknown) => ({ role: "assistant", content }) as ChatMessage;
  const thought: ChatMessage = { ...BEGUN, content: null, reasoning: [{ text: "Hm." }] };

  test.each([moonshot, xai, llamacpp])("is left out for a vendor that refuses it: %#", (vendor) => {
    for (const empty of [silent(""), silent(null), thought]) {
      for (const messages of sent([ASK, empty], vendor)) expect(messages).toEqual([ASK]);
      for (const messages of sent([ASK, empty, ASK], vendor)) expect(messages).toEqual([ASK, ASK]);
    }
    for (const content of [[], [{ type: "text", text: "" }]]) {
      const messages = [ASK, { role: "assistant", content }, ASK];
      const neutral = [ASK, silent(""), ASK];
      expect(wireBodyFor({ messages }, { vendor, neutral })["messages"]).toEqual([ASK, ASK]);
    }
  });

  test.each([moonshot, xai])("is kept if it says or does something: %#", (vendor) => {
    for (const messages of sent([ASK, BEGUN, ASK, CALL], vendor)) expect(messages).toHaveLength(4);
  });

  test("stays where it does no harm", () => {
    for (const messages of sent([ASK, silent(""), ASK], together)) expect(messages).toHaveLength(3);
  });
});

test("Moonshot gets no empty text part beside a call", () => {
  const messages = [ASK, { ...CALL_ON_WIRE, content: [{ type: "text", text: "" }] }];
  const body = wireBodyFor({ messages }, { vendor: moonshot, neutral: [ASK, CALL] });
  expect(body["messages"]).toEqual([ASK, { ...CALL_ON_WIRE, content: null, reasoning_content: " " }]);
});
