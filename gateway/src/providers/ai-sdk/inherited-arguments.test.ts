import { afterEach, describe, expect, test } from "bun:test";
import type { ChatMessage } from "../../contract/index.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

/** What parsers refuse for fear of prototype pollution, in any place and any spelling. */
const ARGUMENTS: readonly string[] = [
  '{"__proto__":{"a":1}}',
  '{"deep":[{"x":{"__proto__":null}}]}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"a":{"constructor":{"prototype":1}},"constructor":"Ann"}',
  '{"__proto__":{"id":1234567890123456789}}',
];

describe("arguments named like inherited properties", () => {
  test.each([
    ...ARGUMENTS.map((args) => [args, args]),
    ['{"\\u005f_proto_\\u005F" : 1}', '{"__proto__":1}'],
    ['{"c\\u006fnstructor":{"prototype":1}}', '{"constructor":{"prototype":1}}'],
  ])("arrive from Gemini as the model named them: %s", async (args, given) => {
    const parts = `[{"text":"Now."},{"functionCall":{"name":"f","args":${args}}}]`;
    const event = `{"candidates":[{"content":{"role":"model","parts":${parts}},"finishReason":"STOP"}]}`;
    upstream = startTestUpstream(
      () => new Response(`data: ${event}\n\n`, { headers: { "content-type": "text/event-stream" } }),
    );
    expect(await callOf(upstream.provider(createGoogleProvider), { tools: [{ name: "f" }] })).toMatchObject([
      { type: "text", text: "Now." },
      { type: "tool_start", name: "f" },
      { type: "tool_arguments", text: given },
      { type: "finish", reason: "tool_calls" },
    ]);
    expect({}).not.toHaveProperty("a");
  });

  test.each([
    ["Gemini", createGoogleProvider],
    ["Claude", createAnthropicProvider],
  ])("are sent back to %s unchanged", async (_name, factory) => {
    upstream = startTestUpstream(() => new Response(null, { status: 403 }));
    const toolCalls = ARGUMENTS.map((args, at) => ({ id: `c${at}`, name: "f", arguments: args }));
    const messages: ChatMessage[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: null, toolCalls },
      ...toolCalls.map(({ id }): ChatMessage => ({ role: "tool", toolCallId: id, content: "done" })),
    ];
    await callOf(upstream.provider(factory), { messages, tools: [{ name: "f" }] });
    for (const args of ARGUMENTS) expect(upstream.sent[0]?.text).toContain(`:${args}`);
  });
});
