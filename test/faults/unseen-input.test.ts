/**
 * Input that only an upstream of the caller's own wire reads: if it reports no usage, what was really sent to it is
 * charged by our estimate, and nothing of what was left out.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { estimateTokens } from "../../compaction/src/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

type Json = Readonly<Record<string, unknown>>;

const CREDITS = 100_000;
const MODEL = "speaks-both";
const WORDS = "The quick brown fox jumps over the lazy dog and runs away. ".repeat(400);
const WORDS_TOKENS = estimateTokens(WORDS);
/** The extras of an ordinary request are free, so not all of the words need be paid for. */
const FREE_TOKENS = 400;

let reply: Json = {};
let received = "";
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    received = await request.text();
    return Response.json(reply);
  },
});
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  const both = settingsFor(baseUrl, [MODEL], { responses: true }) as { providers: Json; models: Json[] };
  const [model] = both.models;
  settings = writeSettings({
    ...both,
    providers: {
      ...both.providers,
      chat: { kind: "groq", base_url: baseUrl, api_key: "k", responses: false },
      thoughtless: { kind: "openai", base_url: baseUrl, api_key: "k", responses: false },
      loose: { kind: "perplexity", base_url: baseUrl, api_key: "k" },
      thinking: { kind: "deepseek", base_url: baseUrl, api_key: "k" },
      routed: { kind: "openrouter", base_url: baseUrl, api_key: "k" },
      parted: { kind: "mistral", base_url: baseUrl, api_key: "k" },
    },
    models: [
      model,
      { ...model, id: "speaks-chat", targets: [{ provider: "chat", model: MODEL }] },
      { ...model, id: "thoughtless", targets: [{ provider: "thoughtless", model: MODEL }] },
      { ...model, id: "loose", targets: [{ provider: "loose", model: MODEL }] },
      { ...model, id: "thinking", targets: [{ provider: "thinking", model: MODEL }] },
      { ...model, id: "routed", targets: [{ provider: "routed", model: MODEL }] },
      { ...model, id: "parted", targets: [{ provider: "parted", model: MODEL }] },
    ],
  });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const CHAT_REPLY = {
  choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
};
const RESPONSE_REPLY = {
  id: "r",
  object: "response",
  status: "completed",
  output: [
    {
      type: "message",
      id: "m",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Yes.", annotations: [] }],
    },
  ],
};

async function inputCharged(path: string, body: Json, usage: Json = {}): Promise<number> {
  const isAskedInChat = path !== "responses" || body["model"] !== undefined;
  return (await answered(path, body, { ...(isAskedInChat ? CHAT_REPLY : RESPONSE_REPLY), ...usage })).charged;
}

async function answered(
  path: string,
  body: Json,
  upstreamReply: Json,
): Promise<{ said: Json; charged: number }> {
  reply = upstreamReply;
  const own = await gateway.found({ credits: CREDITS });
  const response = await fetch(`${gateway.origin}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: modelOf(MODEL), ...body }),
  });
  const said = await response.text();
  expect([response.status, said]).toEqual([200, said]);
  const requestId = response.headers.get("x-request-id") ?? "";
  const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
  const row = await expectEnding(gateway.database.db, call, { status: "succeeded" });
  expect(row.charged).toBeLessThanOrEqual(row.held);
  return { said: JSON.parse(said), charged: row.input_tokens };
}

const HI = { role: "user", content: "Anything new?" };
const chat = (...messages: Json[]) => ({ messages: [HI, ...messages, HI] });
const input = (...items: Json[]) => ({ input: [{ type: "message", ...HI }, ...items] });

const SAID = { type: "message", role: "assistant", content: "x" };
const thoughtIn = (field: string) => ({
  type: "reasoning",
  id: "rs",
  [field]: [{ type: "text", text: WORDS }],
});
const echo = chat({ role: "assistant", content: "x", reasoning_content: WORDS });

const SENT: readonly (readonly [string, string, Json])[] = [
  [
    "a shell item",
    "responses",
    input({ type: "local_shell_call_output", id: "x", call_id: "call_1", output: WORDS }),
  ],
  [
    "an MCP item",
    "responses",
    input({ type: "mcp_call", id: "m", name: "x", arguments: "{}", server_label: "s", output: WORDS }),
  ],
  [
    "the result of an unknown call",
    "responses",
    input({ type: "function_call_output", call_id: "call_9", output: WORDS }),
  ],
  [
    "a message's field",
    "chat/completions",
    chat({ role: "assistant", content: "x", reasoning_details: [{ type: "reasoning.text", text: WORDS }] }),
  ],
  [
    "the name of a message's field",
    "chat/completions",
    chat({ role: "user", content: "x", extra: { [WORDS]: 1 } }),
  ],
  ["reasoning that the vendor accepts", "chat/completions", { ...echo, model: "thinking" }],
  [
    "reasoning of the other wire that the vendor accepts",
    "responses",
    { ...input(thoughtIn("summary"), SAID), model: "thinking" },
  ],
];

test.each(SENT)("%s is sent and charged by our estimate if no usage is reported", async (_, path, body) => {
  const charged = await inputCharged(path, body);
  expect(received).toContain(WORDS);
  expect(charged).toBeGreaterThan(WORDS_TOKENS - FREE_TOKENS);
  expect(charged).toBeLessThan(WORDS_TOKENS + FREE_TOKENS);
});

test.each(SENT)("%s is charged as reported if usage is", async (_, path, body) => {
  const counts =
    path === "responses" && body["model"] === undefined
      ? { input_tokens: 11, output_tokens: 2, total_tokens: 13 }
      : { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 };
  expect(await inputCharged(path, body, { usage: counts })).toBe(11);
});

const THIRD = Math.floor(WORDS.length / 3);
const DETAILS = [{ type: "reasoning.text", text: WORDS }];
const PIECES = [
  { type: "reasoning.text", text: WORDS.slice(0, THIRD) },
  { type: "reasoning.summary", summary: WORDS.slice(THIRD) },
];
const PARTS = [
  { type: "thinking", thinking: [{ type: "text", text: WORDS }] },
  { type: "text", text: "x" },
];

const ONCE: readonly (readonly [string, string, Json])[] = [
  [
    "reasoning under two names, one of which is sent",
    "thinking",
    { reasoning: WORDS, reasoning_content: WORDS },
  ],
  ["reasoning and its details", "routed", { reasoning: WORDS, reasoning_details: DETAILS }],
  ["reasoning and its details, in pieces", "routed", { reasoning: WORDS, reasoning_details: PIECES }],
  [
    "reasoning in details, and under another name",
    "routed",
    { reasoning_content: WORDS, reasoning_details: DETAILS },
  ],
  [
    "reasoning in details, beside other reasoning",
    "routed",
    { reasoning_content: "Hm.", reasoning: WORDS, reasoning_details: DETAILS },
  ],
  ["reasoning in parts, and under a name", "parted", { content: PARTS, reasoning_content: WORDS }],
  ["a text repeated in a field that is not sent", "parted", { content: WORDS, parts: PARTS }],
  [
    "reasoning that is not sent, and an equal field that is",
    "loose",
    { reasoning_content: WORDS, notes: WORDS },
  ],
];

test.each(ONCE)("%s is charged once", async (_, model, turn) => {
  const body = { ...chat({ role: "assistant", content: "x", ...turn }), model: modelOf(model) };
  const charged = await inputCharged("chat/completions", body);
  expect(charged).toBeWithin(WORDS_TOKENS - FREE_TOKENS, WORDS_TOKENS + FREE_TOKENS);
});

test("text that is sent twice is charged twice", async () => {
  const turn = { role: "assistant", content: WORDS, notes: WORDS };
  const charged = await inputCharged("chat/completions", chat(turn));
  expect(received.split(WORDS)).toHaveLength(3);
  expect(charged).toBeWithin(2 * WORDS_TOKENS - FREE_TOKENS, 2 * WORDS_TOKENS + FREE_TOKENS);
});

test("a compacted tool result and a field with its full text are both charged", async () => {
  const rows = WORDS.match(/.{1,120}/g)?.map((said, row) => ({ row, said }));
  const whole = JSON.stringify(rows, null, 2);
  const call = { id: "call_1", type: "function", function: { name: "get_rows", arguments: "{}" } };
  const turn = { role: "assistant", content: null, notes: whole, tool_calls: [call] };
  const result = { role: "tool", tool_call_id: "call_1", content: whole };
  const charged = await inputCharged("chat/completions", chat(turn, result));
  expect(received.split(JSON.stringify(whole))).toHaveLength(2);
  expect(received).toContain(JSON.stringify(JSON.stringify(rows)));
  const sent = estimateTokens(whole) + estimateTokens(JSON.stringify(rows));
  expect(charged).toBeWithin(sent - FREE_TOKENS, sent + FREE_TOKENS);
});

const KEPT: readonly (readonly [string, string, Json])[] = [
  [
    "reasoning that the vendor does not accept",
    "chat/completions",
    { ...SENT[3]?.[2], model: "speaks-chat" },
  ],
  ["reasoning that a client echoes", "chat/completions", { ...echo, model: "thoughtless" }],
  ["a reasoning summary", "responses", input(thoughtIn("summary"), SAID)],
  ["full reasoning", "responses", input(thoughtIn("content"), SAID)],
  [
    "reasoning that a server of another wire does not accept",
    "responses",
    { ...input(thoughtIn("summary"), SAID), model: "thoughtless" },
  ],
  ["an item that goes to a server of another wire", "responses", { ...SENT[0]?.[2], model: "speaks-chat" }],
];

test.each(KEPT)("%s is not sent and costs nothing", async (_, path, body) => {
  const charged = await inputCharged(path, body);
  expect(received).not.toContain(WORDS);
  expect(charged).toBeLessThan(FREE_TOKENS);
});

test("metadata is neither sent nor charged", async () => {
  const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`m${at}`, WORDS.slice(0, 512)]));
  expect(await inputCharged("chat/completions", { ...chat(), metadata })).toBeLessThan(FREE_TOKENS);
  expect(received).not.toContain(WORDS.slice(0, 512));
});

test("an image in an item is not charged as if its bytes were text", async () => {
  const output = {
    type: "computer_screenshot",
    image_url: `data:image/png;base64,${"iVBORw0KGgo".repeat(2_000)}`,
  };
  const body = input({ type: "computer_call_output", call_id: "call_1", output });
  expect(await inputCharged("responses", body)).toBeLessThan(FREE_TOKENS);
});

describe("encrypted or signed reasoning is charged when the client returns it", () => {
  const SECRET = `gAAA${"Zx9".repeat(4_000)}`;
  const SECRET_TOKENS = Math.ceil(SECRET.length / 6);
  const USER = { role: "user", content: "Go on." };

  test("as an item", async () => {
    const [message] = RESPONSE_REPLY.output;
    const thought = { type: "reasoning", id: "rs", summary: [], encrypted_content: SECRET };
    const first = await answered(
      "responses",
      { input: [USER] },
      { ...RESPONSE_REPLY, output: [thought, message] },
    );
    const output = first.said["output"] as Json[];
    expect(JSON.stringify(output)).not.toContain(`"${SECRET}"`);
    const charged = await inputCharged("responses", { input: [USER, ...output, USER] });
    expect(received).toContain(`"${SECRET}"`);
    expect(charged).toBeWithin(SECRET_TOKENS, SECRET_TOKENS + FREE_TOKENS);
    const again = await inputCharged("responses", { input: [USER, ...output, ...output, USER] });
    expect(again).toBeWithin(2 * SECRET_TOKENS, 2 * SECRET_TOKENS + FREE_TOKENS);
  });

  const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  const signedCall = { ...call, extra_content: { google: { thought_signature: SECRET } } };
  const detail = { type: "reasoning.encrypted", data: SECRET, format: "x", index: 0 };

  test.each<[string, Json, Json]>([
    ["a call", { tool_calls: [signedCall] }, {}],
    ["a call's reasoning", { tool_calls: [call], reasoning_details: [detail] }, { model: "routed" }],
  ])("with %s", async (_, made, model) => {
    const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
    const choice = {
      index: 0,
      message: { role: "assistant", content: null, ...made },
      finish_reason: "tool_calls",
    };
    const first = await answered(
      "chat/completions",
      { ...model, messages: [USER], tools },
      { choices: [choice] },
    );
    const [{ message }] = first.said["choices"] as [{ message: { tool_calls: { id: string }[] } & Json }];
    // Of all that it received, the client returns only the calls.
    const { tool_calls } = message;
    const turn = {
      role: "assistant",
      content: null,
      tool_calls: tool_calls.map(({ id }) => ({ ...call, id })),
    };
    const result = { role: "tool", tool_call_id: tool_calls[0]?.id, content: "ok" };
    const charged = await inputCharged("chat/completions", {
      ...model,
      messages: [USER, turn, result],
      tools,
    });
    expect(received).toContain(`"${SECRET}"`);
    expect(charged).toBeWithin(SECRET_TOKENS, SECRET_TOKENS + FREE_TOKENS);
    // Charged only once even if the client returns more of it.
    const kept = { ...turn, reasoning_details: message["reasoning_details"] };
    const twice = await inputCharged("chat/completions", { ...model, messages: [USER, kept, result], tools });
    expect(twice).toBeWithin(SECRET_TOKENS, SECRET_TOKENS + FREE_TOKENS);
  });
});
