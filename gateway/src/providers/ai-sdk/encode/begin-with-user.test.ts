import { afterEach, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { createGoogleProvider, createVertexProvider } from "../google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

const CALLS: readonly ChatMessage[] = [
  { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "now", arguments: "{}" }] },
  { role: "tool", toolCallId: "c1", content: "12:00" },
];
const GREETING: ChatMessage = { role: "assistant", content: "Hi." };
const ASK: ChatMessage = { role: "user", content: "And now?" };
const BEGIN = { role: "user", parts: [{ text: "(The conversation begins.)" }] };

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sent(messages: readonly ChatMessage[], create = createGoogleProvider) {
  upstream = startTestUpstream(events());
  const request = { messages, tools: [{ name: "now" }] };
  await callOf(upstream.provider(create), request, { model: "gemini-2.5-pro" });
  return upstream.sent[0]?.body["contents"] as readonly { readonly role: string }[];
}

test.each([createGoogleProvider, createVertexProvider])(
  "a conversation whose beginning was cut off before a call gets a user turn in front for Gemini: %p",
  async (create) => {
    const contents = await sent([{ role: "system", content: "Be brief." }, ...CALLS, ASK], create);
    expect(contents.map(({ role }) => role)).toEqual(["user", "model", "user", "user"]);
    expect(contents[0]).toEqual(BEGIN);
  },
);

test("a conversation that begins with text of the model and its call gets a user turn in front for Gemini", async () => {
  const [first, second] = await sent([GREETING, ...CALLS]);
  expect(first).toEqual(BEGIN);
  expect(second).toMatchObject({ role: "model", parts: [{ text: "Hi." }, { functionCall: {} }] });
});

test("a conversation that begins with only text of the model is sent to Gemini as it is", async () => {
  const [first] = await sent([GREETING, ASK, ...CALLS]);
  expect(first).toEqual({ role: "model", parts: [{ text: "Hi." }] } as never);
});

test("a conversation that begins with the user is sent to Gemini as it is", async () => {
  const [first] = await sent([ASK, ...CALLS]);
  expect(first).toEqual({ role: "user", parts: [{ text: "And now?" }] } as never);
});
