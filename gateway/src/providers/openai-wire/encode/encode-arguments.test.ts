import { expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { alibaba, vllm, llamacpp, ollama, openrouter, openai, azure } = WIRE_VENDORS;
const wire = WIRE_VENDORS["openai-wire"];

/** The arguments of an earlier call as they are sent, if the client speaks responses and if chat completions. */
function sent(text: string, vendor: WireVendor): readonly unknown[] {
  const call = { role: "assistant" as const, content: null };
  const neutral = [{ ...call, toolCalls: [{ id: "c1", name: "write", arguments: text }] }];
  const wireCall = { id: "c1", type: "function", function: { name: "write", arguments: text } };
  const messages = [{ ...call, tool_calls: [wireCall] }];
  const bodies = [bodyFor({ messages: neutral }, { vendor }), wireBodyFor({ messages }, { vendor, neutral })];
  return bodies.map((body) => {
    const [turn] = body["messages"] as readonly { tool_calls: readonly (typeof wireCall)[] }[];
    return turn?.tool_calls[0]?.function.arguments;
  });
}

const CUT = '{"path": "a.txt", "text": "He said';
const SERVERS = { alibaba, vllm, llamacpp, ollama, openrouter, "openai-wire": wire };

test.each(Object.entries(SERVERS))(
  "at %s a call with broken arguments does not end the conversation: they are sent inside of an object",
  (_, vendor) => {
    for (const text of [CUT, '{"a": "say "hi""}', "[1]", "null", '"a.txt"', "{}{}", "a.txt", " "]) {
      const [responses, chat] = sent(text, vendor);
      expect(JSON.parse(String(responses))).toEqual({ input: text });
      expect(chat).toBe(responses);
    }
  },
);

test("arguments that are an object are sent as the model wrote them", () => {
  for (const text of ['{ "a":12345678901234567890, "b":1.0 }', '{"a":"\\u00e9"}', "{}"]) {
    for (const vendor of [...Object.values(SERVERS), openai])
      expect(sent(text, vendor)).toEqual([text, text]);
  }
});

test.each([openai, azure])("OpenAI's own server gets the model's own text, which it takes: %#", (vendor) => {
  expect(sent(CUT, vendor)).toEqual([CUT, CUT]);
});
