import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { balanceOf, type ChatClient, callsOf, createChatClient, tool } from "./openai-chat-client.ts";

type Json = Record<string, unknown>;

/** Like OpenAI with tools: reasoning models refuse them in a chat completion and take them in a response. */
let asked: { path: string; body: Json }[];
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname: path } = new URL(request.url);
    const body = (await request.json()) as Json;
    asked.push({ path, body });
    if (path.endsWith("/chat/completions")) return answerChat(body);
    const pieces = answerResponse(body);
    if (body["stream"] !== true) return Response.json(pieces.at(-1)?.["response"]);
    const frames = pieces.map((event) => `event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`);
    return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
  },
});

function answerChat({ tools, reasoning_effort: effort }: Json): Response {
  if (tools !== undefined && effort !== "none") {
    const message =
      "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. " +
      "To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
    const error = { message, type: "invalid_request_error", param: "reasoning_effort", code: null };
    return Response.json({ error }, { status: 400 });
  }
  const choices = [{ index: 0, message: { role: "assistant", content: "As ever." }, finish_reason: "stop" }];
  const usage = { prompt_tokens: 11, completion_tokens: 9, total_tokens: 20 };
  return Response.json({ id: "x", object: "chat.completion", created: 1, model: "x", choices, usage });
}

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 20,
};
const THOUGHT = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "gAAAA-thought" };
const CALL = {
  id: "fc_1",
  type: "function_call",
  status: "completed",
  call_id: "call_1",
  name: "weather",
  arguments: '{"city":"Oslo"}',
};
const SAID = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Rain in Oslo.", annotations: [] }],
};

/** Calls the tool once, then repeats its result. */
function answerResponse({ input }: Json): readonly Json[] {
  const isAnswered = (input as Json[]).some(({ type }) => String(type).endsWith("_output"));
  const output: readonly Json[] = isAnswered ? [SAID] : [THOUGHT, CALL];
  const place = (output_index: number) => ({ output_index, item_id: output[output_index]?.["id"] });
  const response = { id: "resp_1", object: "response", status: "completed", output, usage: USAGE };
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events: Json[] = [{ type: "response.created", response: begun }];
  if (isAnswered) {
    events.push({ type: "response.output_item.added", ...place(0), item: { ...SAID, content: [] } });
    for (const delta of ["Rain ", "in Oslo."]) {
      events.push({ type: "response.output_text.delta", ...place(0), content_index: 0, delta });
    }
    events.push({ type: "response.output_item.done", ...place(0), item: SAID });
  } else {
    events.push({ type: "response.output_item.added", ...place(0), item: THOUGHT });
    events.push({ type: "response.output_item.done", ...place(0), item: THOUGHT });
    events.push({ type: "response.output_item.added", ...place(1), item: { ...CALL, arguments: "" } });
    for (const delta of ['{"city":', '"Oslo"}']) {
      events.push({ type: "response.function_call_arguments.delta", ...place(1), delta });
    }
    events.push({ type: "response.output_item.done", ...place(1), item: CALL });
  }
  return [...events, { type: "response.completed", response }];
}

let gateway: TestGateway;
let settings: SettingsFile;
let client: ChatClient;
let balance: () => Promise<number>;
beforeAll(async () => {
  const priced = {
    type: "text",
    credits_per_request: 1,
    price: {
      input_per_million: 200_000,
      output_per_million: 400_000,
      cached_input_per_million: 100_000,
      reasoning_per_million: 600_000,
    },
    limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
  };
  const base_url = `http://127.0.0.1:${upstream.port}/v1`;
  settings = writeSettings({
    providers: { acme: { kind: "openai", base_url, api_key: "sk-acme" } },
    models: [
      { ...priced, id: "thinker", name: "Thinker", targets: [{ provider: "acme", model: "gpt-5.6" }] },
    ],
  });
  gateway = await startTestGateway(settings.environment);
  const own = await gateway.found({ credits: 1_000_000 });
  client = createChatClient(gateway, own);
  balance = async () => (await balanceOf(gateway, own)).total;
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});
beforeEach(() => {
  asked = [];
});

const QUESTION = { role: "user", content: "Weather in Oslo?" };
const ASK = { model: "thinker", messages: [QUESTION], tools: [tool("weather")], max_tokens: 100 };

describe.each([false, true])(
  "a chat completion with tools for a reasoning model, streamed: %p",
  (isStreamed) => {
    async function turn(messages: readonly object[]) {
      const body = { ...ASK, messages };
      if (!isStreamed) {
        const reply = await client.reply(body);
        const [choice] = reply.choices;
        return {
          content: choice?.message.content ?? "",
          calls: choice?.message.tool_calls ?? [],
          reason: choice?.finish_reason,
          usage: reply.usage,
        };
      }
      const chunks = await client.chunks({ ...body, stream_options: { include_usage: true } });
      const choices = chunks.flatMap((chunk) => chunk.choices);
      return {
        content: choices.map(({ delta }) => delta.content ?? "").join(""),
        calls: callsOf(chunks).map(({ id, ...made }) => ({ id, type: "function", function: made })),
        reason: choices.at(-1)?.finish_reason,
        usage: chunks.at(-1)?.usage,
      };
    }

    test("is sent as a response and translated back, with its reasoning in the next turn", async () => {
      const before = await balance();
      const first = await turn([QUESTION]);
      expect(first).toMatchObject({
        content: "",
        reason: "tool_calls",
        calls: [{ type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
        usage: {
          prompt_tokens: 11,
          completion_tokens: 9,
          prompt_tokens_details: { cached_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 3 },
        },
      });
      // (7 × 2 + 4 × 1 + 6 × 4 + 3 × 6) / 10
      expect(before - (await balance())).toBe(6);
      const [call] = first.calls as { id: string }[];
      const echo = { role: "assistant", content: null, tool_calls: first.calls };
      const second = await turn([QUESTION, echo, { role: "tool", tool_call_id: call?.id, content: "rain" }]);
      expect(second).toMatchObject({ content: "Rain in Oslo.", calls: [], reason: "stop" });
      expect(asked.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses"]);
      expect(asked[1]?.body["input"]).toEqual([
        { type: "message", role: "user", content: "Weather in Oslo?" },
        { type: "reasoning", summary: [], encrypted_content: "gAAAA-thought" },
        { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' },
        { type: "function_call_output", call_id: "call_1", output: "rain" },
      ]);
    });
  },
);

describe("stays a chat completion", () => {
  test.each([
    ["without tools", { tools: undefined }],
    ["with reasoning effort none", { reasoning_effort: "none" }],
  ])("%s", async (_, more) => {
    const { choices } = await client.reply({ ...ASK, ...more });
    expect(choices[0]?.message.content).toBe("As ever.");
    expect(asked.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  });
});

test("a field that the responses wire lacks is refused by name, and the upstream is not called", async () => {
  for (const more of [{ n: 2 }, { stop: ["END"] }, { logprobs: true }]) {
    const [field = ""] = Object.keys(more);
    const response = await client.post({ ...ASK, ...more });
    const { error } = (await response.json()) as { error: { message: string } };
    expect([response.status, error.message]).toEqual([400, expect.stringContaining(field)]);
  }
  expect(asked).toEqual([]);
});
