import { afterEach, expect, test } from "bun:test";
import type { ChatMessage } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { createGoogleProvider, createVertexProvider } from "../google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const BUILDER = "21st_magic_component_builder";

/** A conversation in which the tool was called, and must be called next. */
function using(name: string, ...others: string[]) {
  const messages: ChatMessage[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: null, toolCalls: [{ id: "a", name, arguments: "{}" }] },
    { role: "tool", toolCallId: "a", content: "ok" },
  ];
  return { messages, tools: [name, ...others].map((each) => ({ name: each })), toolChoice: { name } };
}

/** Gemini's answer: a call of each tool of these names. */
function calling(...names: string[]) {
  const parts = names.map((name) => ({ functionCall: { name, args: {} } }));
  return events({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] });
}

type Part = { readonly functionCall?: { name: string }; readonly functionResponse?: { name: string } };
type Body = {
  readonly tools: readonly [{ readonly functionDeclarations: readonly { readonly name: string }[] }];
  readonly toolConfig: { readonly functionCallingConfig: { readonly allowedFunctionNames: string[] } };
  readonly contents: readonly { readonly parts: readonly Part[] }[];
};

/** Every name under which the tools of a conversation were sent. */
function namesSent() {
  const [{ tools, toolConfig, contents }] = upstream.sent.map(({ body }) => body) as unknown as [Body];
  return {
    tools: tools[0].functionDeclarations.map(({ name }) => name),
    choice: toolConfig.functionCallingConfig.allowedFunctionNames,
    call: contents[1]?.parts[0]?.functionCall?.name,
    result: contents[2]?.parts[0]?.functionResponse?.name,
  };
}

test.each([
  ["google", createGoogleProvider],
  ["vertex", createVertexProvider],
] as const)(
  "a tool name that begins with a digit gets a prefix for %s, which is removed from its calls",
  async (_name, factory) => {
    upstream = startTestUpstream(calling(`_${BUILDER}`));
    const answer = await callOf(upstream.provider(factory), using(BUILDER, "other", "-dash", "_under"));
    expect(namesSent()).toEqual({
      tools: [`_${BUILDER}`, "other", "_-dash", "_under"],
      choice: [`_${BUILDER}`],
      call: `_${BUILDER}`,
      result: `_${BUILDER}`,
    });
    expect(answer).toContainEqual(expect.objectContaining({ type: "tool_start", name: BUILDER }));
  },
);

test("a prefixed tool name never equals that of another tool", async () => {
  upstream = startTestUpstream(calling("_1", "__1", "___1", "1"));
  const answer = await callOf(upstream.provider(createGoogleProvider), using("1", "_1", "__1"));
  expect(namesSent()).toEqual({
    tools: ["___1", "_1", "__1"],
    choice: ["___1"],
    call: "___1",
    result: "___1",
  });
  const called = Array.isArray(answer) ? answer.filter(({ type }) => type === "tool_start") : [];
  expect(called).toMatchObject([{ name: "_1" }, { name: "__1" }, { name: "1" }, { name: "1" }]);
});

test("a removed tool in an earlier turn gets a prefixed name that no other tool has", async () => {
  upstream = startTestUpstream(calling("other"));
  await callOf(upstream.provider(createGoogleProvider), {
    messages: using("1").messages,
    tools: [{ name: "_1" }],
    toolChoice: { name: "_1" },
  });
  expect(namesSent()).toEqual({ tools: ["_1"], choice: ["_1"], call: "__1", result: "__1" });
});

test("Claude gets a tool name that begins with a digit unchanged", async () => {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 400 }));
  await callOf(upstream.provider(createAnthropicProvider), using(BUILDER), { model: "claude-opus-5" });
  expect(upstream.sent[0]?.text).toContain(`"name":"${BUILDER}"`);
  expect(upstream.sent[0]?.text).not.toContain(`_${BUILDER}`);
});
