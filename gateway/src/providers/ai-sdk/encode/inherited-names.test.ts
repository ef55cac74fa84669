import { afterEach, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { createBedrockProvider } from "../bedrock.ts";
import { createGoogleProvider } from "../google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

/** A conversation in which the tool was called, and must be called next. */
function using(name: string) {
  const messages: ChatMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: null, toolCalls: [{ id: "a", name, arguments: "{}" }] },
    { role: "tool", toolCallId: "a", content: "ok" },
  ];
  return { messages, tools: [{ name }, { name: "other" }], toolChoice: { name } };
}

/** Claude's answer: a call of the tool of this name. */
function calling(name: string) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "claude", content: [], usage };
  return events(
    { type: "message_start", message: { ...message, stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "b", name, input: {} } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  );
}

type Body = {
  readonly tools: readonly { readonly name: string }[];
  readonly tool_choice: { readonly name: string };
  readonly messages: readonly { readonly content: readonly { readonly name?: string }[] }[];
};

test.each(["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty"])(
  "a tool named like the inherited property %s works with Claude from turn to turn",
  async (name) => {
    let told: string = name;
    upstream = startTestUpstream(() => calling(told)());
    const provider = upstream.provider(createAnthropicProvider);
    await callOf(provider, using(name), { model: "claude-opus-5" });
    const [sent] = upstream.sent.map(({ body }) => body as unknown as Body);
    const { tools = [], tool_choice: choice, messages = [] } = sent ?? {};
    told = tools[0]?.name ?? "";
    expect(told).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(choice?.name).toBe(told);
    expect(messages[1]?.content[0]).toEqual({ type: "tool_use", id: "a", name: told, input: {} } as object);
    expect(messages[2]?.content[0]).toMatchObject({ type: "tool_result", tool_use_id: "a" });
    expect(tools[1]?.name).toBe("other");
    const answer = await callOf(provider, using(name), { model: "claude-opus-5" });
    expect(answer).toContainEqual({ type: "tool_start", call: 0, id: "b", name });
  },
);

test.each([
  ["bedrock", createBedrockProvider],
  ["google", createGoogleProvider],
] as const)("%s gets the tool name constructor unchanged", async (_name, factory) => {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 400 }));
  await callOf(upstream.provider(factory), using("constructor"), { model: "some-model" });
  expect(upstream.sent[0]?.text.match(/"name":"constructor"/g)?.length).toBeGreaterThanOrEqual(2);
});
