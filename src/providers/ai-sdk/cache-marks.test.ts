import { afterEach, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../contract.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

const PICTURE = { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" } as const;
const MARK = { cache_control: { type: "ephemeral" } };

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sentTo(factory: Parameters<TestUpstream["provider"]>[0], request: Partial<ChatRequest>) {
  upstream = startTestUpstream(() => Response.json({ error: { message: "no" } }, { status: 400 }));
  await callOf(upstream.provider(factory), request);
  const [sent] = upstream.sent;
  if (sent === undefined) throw new Error("nothing was sent");
  return sent;
}

test("pictures, whole messages, whole results and tools are marked at Anthropic", async () => {
  const messages: ChatMessage[] = [
    {
      role: "user",
      content: [
        { ...PICTURE, cache: true },
        { type: "text", text: "Look" },
      ],
    },
    { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "see", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content: "seen", cache: true },
    { role: "user", content: "Well?", cache: true },
  ];
  const tools = [{ name: "see" }, { name: "hear", cache: true }];
  const { body, text } = await sentTo(createAnthropicProvider, { messages, tools });
  expect(body).toMatchObject({
    messages: [
      {
        content: [
          { type: "image", ...MARK },
          { type: "text", text: "Look" },
        ],
      },
      {},
      {
        content: [
          { type: "tool_result", ...MARK },
          { type: "text", text: "Well?", ...MARK },
        ],
      },
    ],
    tools: [{ name: "see" }, { name: "hear", ...MARK }],
  });
  expect(text.match(/cache_control/g)).toHaveLength(4);
});

test("never more than the four that Anthropic takes", async () => {
  const content = Array.from("abcdef", (text) => ({ type: "text", text, cache: true }) as const);
  const tools = [{ name: "see", cache: true }];
  const { text } = await sentTo(createAnthropicProvider, { messages: [{ role: "user", content }], tools });
  expect(text.match(/cache_control/g)).toHaveLength(4);
});

test.each<[string, ChatMessage]>([
  ["as a whole", { role: "user", content: "Look", cache: true }],
  ["at its end", { role: "user", content: [{ type: "text", text: "Look", cache: true }] }],
  ["in both ways", { role: "user", content: [{ type: "text", text: "Look", cache: true }], cache: true }],
])("a message that is marked %s is marked once at Bedrock", async (_where, message) => {
  const { body } = await sentTo(createBedrockProvider, { messages: [message] });
  expect(body["messages"]).toEqual([
    { role: "user", content: [{ text: "Look" }, { cachePoint: { type: "default" } }] },
  ]);
});
