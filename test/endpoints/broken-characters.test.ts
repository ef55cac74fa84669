import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

/** What JSON can express and text cannot contain: a NUL, half a surrogate pair, and a pair split between two pieces. */
const PIECES = ["a\0b x\ud800y ", "A\ud83d", "\ude00B\ud83d"];
const REPAIRED = "a\ufffdb x\ufffdy A😀B\ufffd";

type Asked = { readonly stream?: boolean };

const sse = (...events: readonly (object | string)[]) =>
  new Response(
    events
      .map((event) => (typeof event === "string" ? event : JSON.stringify(event)))
      .map((data) => `data: ${data}\n\n`)
      .join(""),
    { headers: { "content-type": "text/event-stream" } },
  );

const CALL = { name: "look", arguments: JSON.stringify({ at: "\ud83d" }).replace("\\ud83d", "\0\ud83d") };
const USAGE = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };

function chat({ stream }: Asked): Response {
  const content = PIECES.join("");
  const toolCalls = [{ id: "call_1", type: "function", function: CALL }];
  const message = { role: "assistant", content, reasoning_content: content, tool_calls: toolCalls };
  if (!stream)
    return Response.json({ choices: [{ index: 0, message, finish_reason: "stop" }], usage: USAGE });
  const delta = (fields: object, finish: string | null = null) => ({
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  });
  return sse(
    ...PIECES.map((reasoning_content) => delta({ reasoning_content })),
    ...PIECES.map((text) => delta({ content: text })),
    delta({ tool_calls: [{ index: 0, ...toolCalls[0] }] }),
    delta({}, "stop"),
    { choices: [], usage: USAGE },
    "[DONE]",
  );
}

function responses({ stream }: Asked): Response {
  const text = PIECES.join("");
  const item = { type: "message", id: "msg_1", role: "assistant", status: "completed" };
  const output = [{ ...item, content: [{ type: "output_text", text, annotations: [] }] }];
  const response = { id: "resp_1", object: "response", status: "completed", output, usage: null };
  if (!stream) return Response.json(response);
  const at = { output_index: 0, content_index: 0, item_id: "msg_1" };
  return sse(
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    },
    { type: "response.content_part.added", ...at, part: { type: "output_text", text: "", annotations: [] } },
    ...PIECES.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
    { type: "response.output_text.done", ...at, text },
    { type: "response.output_item.done", output_index: 0, item: output[0] },
    { type: "response.completed", response },
  );
}

function messages(): Response {
  const usage = { input_tokens: 5, output_tokens: 5 };
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], usage };
  return sse(
    { type: "message_start", message: { ...message, stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...PIECES.map((text) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  );
}

/** The last request that the upstream received. */
let asked = "";

const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    asked = await request.text();
    const body = JSON.parse(asked) as Asked;
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/responses")) return responses(body);
    return pathname.endsWith("/messages") ? messages() : chat(body);
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;

beforeAll(async () => {
  const base = { base_url: `http://127.0.0.1:${upstream.port}/v1`, api_key: "sk-1" };
  const providers = {
    chat: { kind: "openai-wire", ...base, responses: false },
    both: { kind: "openai-wire", ...base, responses: true },
    anthropic: { kind: "anthropic", ...base },
  };
  settings = writeSettings({
    providers,
    models: Object.keys(providers).map((provider) => ({
      ...{ id: `over-${provider}`, name: "Broken", type: "text", credits_per_request: 1 },
      targets: [{ provider, model: "m" }],
      limits: { context_tokens: 100_000, max_output_tokens: 4_096 },
      capabilities: ["tools"],
    })),
  });
  gateway = await startTestGateway(settings.environment, { runsVideoJobs: false });
  own = await gateway.found({ credits: 1_000_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

async function ask(path: string, body: object): Promise<string> {
  const response = await fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([response.status, text.slice(0, response.ok ? 0 : 200)]).toEqual([200, ""]);
  return text;
}

/** Every event of a stream as it came; each of its texts must be one that we would accept. */
function eventsIn(stream: string): Record<string, unknown>[] {
  const data = stream.split("\n").filter((line) => line.startsWith("data: {"));
  return data.map((line) => {
    expect(line).not.toMatch(/\\u(?:0000|d[89a-f])/i);
    return JSON.parse(line.slice("data: ".length));
  });
}

const TOOLS = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];

describe.each(["over-chat", "over-both", "over-anthropic"])(
  "an answer of %s with NUL and lone surrogates is repaired",
  (model) => {
    const asked = [{ role: "user", content: "Hi" }];

    test("in the main interface, whole and streamed, and is accepted in the next request", async () => {
      const whole = JSON.parse(await ask("/functions/v1/api-v1-chat", { model, messages: asked }));
      expect(whole.message.content).toBe(REPAIRED);
      const stream = await ask("/functions/v1/api-v1-chat", { model, messages: asked, stream: true });
      const said = eventsIn(stream).map((event) => event["content"] ?? "");
      expect(said.join("")).toBe(REPAIRED);
      const messages = [...asked, whole.message, ...asked];
      await ask("/functions/v1/api-v1-chat", { model, messages });
    });

    test("as a chat completion, whole and streamed, and is accepted in the next request", async () => {
      const body = { model, messages: asked, tools: TOOLS };
      const { message } = JSON.parse(await ask("/v1/chat/completions", body)).choices[0];
      expect(message.content).toBe(REPAIRED);
      const chunks = eventsIn(await ask("/v1/chat/completions", { ...body, stream: true }));
      const deltas = chunks.flatMap(({ choices }) => (choices ?? []) as { delta: typeof message }[]);
      expect(deltas.map(({ delta }) => delta.content ?? "").join("")).toBe(REPAIRED);
      if (model === "over-chat") {
        expect(message.reasoning_content).toBe(REPAIRED);
        expect(deltas.map(({ delta }) => delta.reasoning_content ?? "").join("")).toBe(REPAIRED);
        expect(message.tool_calls[0].function.arguments).toBe('{"at":"\ufffd\ufffd"}');
      }
      const results = (message.tool_calls ?? []).map(({ id }: { id: string }) => ({
        ...{ role: "tool", tool_call_id: id, content: "seen" },
      }));
      await ask("/v1/chat/completions", { ...body, messages: [...asked, message, ...results] });
    });

    test("as a response, whole and streamed, and is accepted in the next request", async () => {
      const body = { model, input: asked };
      const { output } = JSON.parse(await ask("/v1/responses", body));
      const texts = (items: { type: string; content: { text: string }[] }[]) =>
        items
          .filter(({ type }) => type === "message")
          .flatMap(({ content }) => content.map(({ text }) => text));
      expect(texts(output)).toEqual([REPAIRED]);
      const events = eventsIn(await ask("/v1/responses", { ...body, stream: true }));
      const deltas = events.filter(({ type }) => type === "response.output_text.delta");
      expect(deltas.map(({ delta }) => delta).join("")).toBe(REPAIRED);
      const calls = output.filter(({ type }: { type: string }) => type === "function_call");
      const results = calls.map((call: { call_id: string }) => ({
        ...{ type: "function_call_output", call_id: call.call_id, output: "seen" },
      }));
      await ask("/v1/responses", { model, input: [...asked, ...output, ...results] });
    });
  },
);

test.each(["over-chat", "over-both", "over-anthropic"])(
  "tool results with NUL and lone surrogates reach %s repaired, in every later turn",
  async (model) => {
    const given = "./a\0./b\0 cut \ud83d";
    const call = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: given },
    ];
    const input = [
      { role: "user", content: "Hi" },
      { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: given },
    ];
    for (const more of [[], [{ role: "user", content: "And then?" }]]) {
      for (const [path, body] of [
        ["/v1/chat/completions", { messages: [...messages, ...more], tools: TOOLS }],
        ["/v1/responses", { input: [...input, ...more] }],
      ] as const) {
        await ask(path, { model, ...body });
        expect(asked).toContain("./a\ufffd./b\ufffd cut \ufffd");
        expect(asked).not.toMatch(/\\u(?:0000|d[89a-f])/i);
      }
    }
  },
);

/** Escaped twice, so that the body itself contains no invalid text. */
const BROKEN_ARGUMENTS = String.raw`{"a":"x\u0000y\ud83d"}`;

test.each([
  ["over-chat", JSON.stringify(BROKEN_ARGUMENTS)],
  ["over-both", JSON.stringify(BROKEN_ARGUMENTS)],
  ["over-anthropic", '{"a":"x\ufffdy\ufffd"}'],
])(
  "arguments of an earlier call reach %s as the same text if sent as text, repaired if sent as JSON",
  async (model, sent) => {
    const called = { name: "look", arguments: BROKEN_ARGUMENTS };
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: called }] },
      { role: "tool", tool_call_id: "c1", content: "seen" },
    ];
    const input = [
      { role: "user", content: "Hi" },
      { type: "function_call", call_id: "c1", ...called },
      { type: "function_call_output", call_id: "c1", output: "seen" },
    ];
    for (const [path, body] of [
      ["/v1/chat/completions", { messages, tools: TOOLS }],
      ["/v1/responses", { input }],
    ] as const) {
      await ask(path, { model, ...body });
      expect(asked).toContain(sent);
      expect(asked).not.toMatch(/[^\\]\\u(?:0000|d[89a-f])/i);
    }
  },
);
