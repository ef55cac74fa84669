import { afterEach, describe, expect, test } from "bun:test";
import type { ChatMessage, Provider } from "../../contract/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { createCohereProvider } from "./cohere.ts";
import { createGoogleProvider } from "./google.ts";
import type { AiSdkDeps } from "./library-fetch.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

/** More digits than a double can represent. */
const ID = "1234567890123456789";

let upstream: TestUpstream;
afterEach(() => upstream.close());

type Factory = (settings: ProviderSettings, deps: AiSdkDeps) => Provider;
const FACTORIES: readonly (readonly [string, Factory])[] = [
  ["Anthropic", createAnthropicProvider],
  ["Google", createGoogleProvider],
  ["Bedrock", createBedrockProvider],
  ["Cohere", createCohereProvider],
];

describe("numbers that do not fit a double", () => {
  test.each(FACTORIES)("are sent back to %s unchanged in earlier calls", async (_name, factory) => {
    upstream = startTestUpstream(() => new Response(null, { status: 403 }));
    const toolCalls = [{ id: "c1", name: "open", arguments: `{"id": ${ID}, "deep": [{"x": -${ID}}]}` }];
    const messages: ChatMessage[] = [
      { role: "user", content: "Open it" },
      { role: "assistant", content: null, toolCalls },
      { role: "tool", toolCallId: "c1", content: "done" },
    ];
    await callOf(upstream.provider(factory), { messages, tools: [{ name: "open" }] });
    const numbers = upstream.sent[0]?.text.match(/-?\d{16,}/g);
    expect(numbers).toEqual([ID, `-${ID}`]);
  });

  test("arrive unchanged in Gemini's calls, nested ones too", async () => {
    const args = `{"id":${ID},"args":{"ids":[${ID}]},"price":1.5,"text":"ü ${ID}"}`;
    const call = `{"functionCall":{"name":"open","args":${args}},"thoughtSignature":"Y2FsbA=="}`;
    const event = `{"candidates":[{"content":{"role":"model","parts":[${call}]},"finishReason":"STOP"}]}`;
    upstream = startTestUpstream(
      () => new Response(`data: ${event}\n\n`, { headers: { "content-type": "text/event-stream" } }),
    );
    const answer = await callOf(upstream.provider(createGoogleProvider), { tools: [{ name: "open" }] });
    expect(answer).toMatchObject([
      { type: "tool_start", name: "open", signature: "google/call:Y2FsbA==" },
      { type: "tool_arguments", text: args },
      { type: "finish", reason: "tool_calls" },
    ]);
  });
});
