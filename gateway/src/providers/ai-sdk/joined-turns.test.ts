import { afterEach, expect, test } from "bun:test";
import type { ChatMessage } from "../../contract/index.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const turnOf = (vendor: string): ChatMessage[] => [
  { role: "user", content: "What time is it?" },
  { role: "assistant", content: "Let me see." },
  {
    role: "assistant",
    content: "I ask.",
    reasoning: [{ text: "", signature: `${vendor}/answer:YW5zd2Vy` }],
    toolCalls: [{ id: "c1", name: "now", arguments: "", signature: `${vendor}/call:Y2FsbA==` }],
  },
  { role: "tool", toolCallId: "c1", content: "12:00" },
];

test("Gemini gets consecutive assistant messages as one turn, each signature on its own text", async () => {
  upstream = startTestUpstream(events());
  const request = { messages: turnOf("google"), tools: [{ name: "now" }] };
  await callOf(upstream.provider(createGoogleProvider), request, { model: "gemini-3-pro-preview" });
  expect(upstream.sent[0]?.body["contents"]).toMatchObject([
    { role: "user" },
    {
      role: "model",
      parts: [
        { text: "Let me see." },
        { text: "I ask.", thoughtSignature: "YW5zd2Vy" },
        { functionCall: { name: "now" }, thoughtSignature: "Y2FsbA==" },
      ],
    },
    { role: "user", parts: [{ functionResponse: { name: "now" } }] },
  ]);
});

test("Claude gets consecutive assistant messages as one turn", async () => {
  upstream = startTestUpstream(events());
  const request = { messages: turnOf("anthropic"), tools: [{ name: "now" }] };
  await callOf(upstream.provider(createAnthropicProvider), request);
  expect(upstream.sent[0]?.body["messages"]).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ text: "Let me see." }, { text: "I ask." }, { type: "tool_use" }] },
    { role: "user" },
  ]);
});
