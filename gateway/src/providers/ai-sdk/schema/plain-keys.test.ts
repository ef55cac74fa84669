import { afterEach, expect, test } from "bun:test";
import type { ChatEvent, ChatMessage, Provider } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { createBedrockProvider } from "../bedrock.ts";
import { createGoogleProvider } from "../google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "../testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const LONG = "x".repeat(65);
const PARAMETERS = {
  type: "object",
  properties: {
    $top: { type: "integer" },
    _top: { type: "object", properties: { $top: {} } },
    "filter[id]": { type: "string", enum: ["filter[id]"] },
    [`${LONG}a`]: {},
    [`${LONG}b`]: {},
    twin: { $ref: "#/properties/$top" },
  },
  required: ["$top", "_top", "filter[id]"],
};
const SENT = {
  type: "object",
  properties: {
    _top_2: { type: "integer" },
    _top: { type: "object", properties: { $top: {} } },
    filter_id_: { type: "string", enum: ["filter[id]"] },
    [LONG.slice(1)]: {},
    [`${"x".repeat(56)}_2`]: {},
    twin: { $ref: "#/properties/_top_2" },
  },
  required: ["_top_2", "_top", "filter_id_"],
};
const TOOLS = [{ name: "list", parameters: PARAMETERS }];

const block = (index: number, name: string, pieces: readonly string[]) => [
  {
    type: "content_block_start",
    index,
    content_block: { type: "tool_use", id: `t${index}`, name, input: {} },
  },
  ...pieces.map((partial_json) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  })),
  { type: "content_block_stop", index },
];
const answered = (...blocks: readonly object[]) => [
  {
    type: "message_start",
    message: { id: "m", model: "claude", usage: { input_tokens: 1, output_tokens: 1 } },
  },
  ...blocks,
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

function start(factory: Parameters<TestUpstream["provider"]>[0], ...list: readonly object[]): Provider {
  upstream = startTestUpstream(events(...list));
  return upstream.provider(factory);
}

function argumentsIn(answer: unknown): readonly string[] {
  const told = (answer as ChatEvent[]).filter((event) => event.type === "tool_arguments");
  return told.map(({ text }) => text);
}

test("parameter names that Claude refuses are replaced; nested names and values stay unchanged", async () => {
  await callOf(start(createAnthropicProvider), { tools: TOOLS });
  expect(upstream.sent[0]?.body["tools"]).toEqual([
    expect.objectContaining({ name: "list", input_schema: SENT }),
  ]);
});

test("Claude on Bedrock gets replaced names too; Nova and Gemini get the client's names", async () => {
  const provider = start(createBedrockProvider);
  for (const model of ["anthropic.claude-sonnet-4-5-v1:0", "amazon.nova-pro-v1:0"])
    await callOf(provider, { tools: TOOLS }, { model });
  const [claude, nova] = upstream.sent.map(({ text }) => text);
  expect(claude).toContain(JSON.stringify(SENT.required));
  expect(nova).toContain(JSON.stringify(PARAMETERS.required));
  upstream.close();
  await callOf(start(createGoogleProvider), { tools: TOOLS });
  expect(upstream.sent[0]?.text).toContain(JSON.stringify(PARAMETERS.required));
});

test("the arguments of a call arrive under the client's names, with every digit", async () => {
  const pieces = [
    '{"_to',
    'p_2":12345678901234567890,"_top":{"_top_2":"_top_2"},',
    '"filter_id_":"a,\\"_top_2\\":{"}',
  ];
  const other = ['{"_top_2"', ":1}"];
  const list = answered(...block(0, "list", pieces), ...block(1, "other", other));
  const answer = await callOf(start(createAnthropicProvider, ...list), {
    tools: [...TOOLS, { name: "other" }],
  });
  expect(argumentsIn(answer)).toEqual([
    '{"$top":12345678901234567890,"_top":{"_top_2":"_top_2"},"filter[id]":"a,\\"_top_2\\":{"}',
    ...other,
  ]);
});

test("a truncated call is delivered as far as it came, and one without arguments gets {}", async () => {
  const cut = '{"filter_id_":"a","_top_2';
  for (const [piece, told] of [
    [cut, '{"filter[id]":"a","_top_2'],
    ["", "{}"],
    ['["_top_2","_top_2"]', '["_top_2","_top_2"]'],
  ] as const) {
    const whole = block(0, "list", [piece]);
    // With its end and without.
    for (const list of [whole, whole.slice(0, -1)]) {
      const answer = await callOf(start(createAnthropicProvider, ...answered(...list)), { tools: TOOLS });
      expect(argumentsIn(answer).join("")).toBe(list === whole || piece !== "" ? told : "");
      upstream.close();
    }
  }
});

test("earlier calls of a tool are sent under its replaced names", async () => {
  const call = (id: string, name: string) => ({ id, name, arguments: '{"$top":1,"_top":{"$top":2}}' });
  const messages: ChatMessage[] = [
    { role: "user", content: "hi" },
    { role: "assistant", content: null, toolCalls: [call("c1", "list"), call("c2", "other")] },
    { role: "tool", toolCallId: "c1", content: "a" },
    { role: "tool", toolCallId: "c2", content: "b" },
  ];
  await callOf(start(createAnthropicProvider), { messages, tools: [...TOOLS, { name: "other" }] });
  expect(upstream.sent[0]?.body["messages"]).toMatchObject([
    { role: "user" },
    { content: [{ input: { _top_2: 1, _top: { $top: 2 } } }, { input: { $top: 1, _top: { $top: 2 } } }] },
    { role: "user" },
  ]);
});

test("20,000 names that would become the same get distinct numbers", async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + at));
  const parameters = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  await callOf(start(createAnthropicProvider), { tools: [{ name: "list", parameters }] });
  const tools = upstream.sent[0]?.body["tools"] as { input_schema: { properties: object } }[] | undefined;
  const sent = Object.keys(tools?.[0]?.input_schema.properties ?? {});
  expect([new Set(sent).size, sent[0], sent.at(-1)]).toEqual([20_000, "_", "__20000"]);
});
