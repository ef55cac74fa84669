import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { parseExactly } from "../../gateway/src/kit/index.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { DONE, deltaFrame, frame, STOP, usageFrame } from "../upstream/chat-wire.ts";
import {
  balanceOf,
  type ChatClient,
  callsOf,
  createChatClient,
  say,
  textOf,
  tool,
} from "./openai-chat-client.ts";

/** An upstream of the same wire that answers as the test says, and records its requests. */
let script: (body: Record<string, unknown>) => Response;
let asked: Record<string, unknown>[];
/** The last request as it came. */
let askedText = "";
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    askedText = await request.text();
    const body = JSON.parse(askedText) as Record<string, unknown>;
    asked.push(body);
    return script(body);
  },
});

let gateway: TestGateway;
let settings: SettingsFile;
let client: ChatClient;
beforeAll(async () => {
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, ["m", "fresh"]));
  gateway = await startTestGateway(settings.environment);
  client = createChatClient(gateway, await gateway.found({ credits: 1_000_000 }));
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});
beforeEach(() => {
  asked = [];
});

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 9,
  total_tokens: 20,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const ASK = { model: "m", messages: [{ role: "user", content: "Hello", name: "ada" }] };

function reply(message: object, more: object = {}) {
  const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }];
  return () =>
    Response.json({
      id: "theirs",
      object: "chat.completion",
      created: 1,
      model: "x",
      choices,
      usage: USAGE,
      ...more,
    });
}

function stream(...frames: string[]) {
  return () => new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}

describe("a whole reply", () => {
  test("is requested with every digit that the caller wrote", async () => {
    script = reply({ content: "Hi." });
    const own = [
      '"seed":1234567890123456789',
      '"maximum":9223372036854775807',
      '"minimum":-9223372036854775808',
      '"x":1.5',
    ];
    const [seed, maximum, minimum, more] = own;
    const schema = `{"type":"object","properties":{"id":{"type":"integer",${maximum},${minimum}}}}`;
    const tools = `[{"type":"function","function":{"name":"open","parameters":${schema}}}]`;
    const body = parseExactly(`{${seed},"tools":${tools},"logit_bias":{${more}}}`) as object;
    await client.reply({ ...ASK, ...body });
    for (const member of own) expect(askedText).toContain(member);
    const made = parseExactly('{"name":"open","arguments":{"id":1234567890123456789}}');
    const call = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: made }],
    };
    const messages = [...ASK.messages, call, { role: "tool", tool_call_id: "c", content: "done" }];
    await client.reply({ ...ASK, messages });
    expect(askedText).toContain("1234567890123456789");
  });

  test("is passed on with extra fields, repaired, under our id and model name, and charged as reported", async () => {
    script = reply({ content: "Hi." }, { system_fingerprint: "fp_1" });
    const body = await client.reply({ ...ASK, max_tokens: 50 });
    expect(body).toMatchObject({
      model: "m",
      system_fingerprint: "fp_1",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi.", refusal: null }, logprobs: null }],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 9,
        total_tokens: 20,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      credits_charged: 20,
    });
    expect(body.id).not.toBe("theirs");
  });

  test("is requested with the caller's own fields, except a limit above the model's and the service tier", async () => {
    script = reply({ content: "Hi." });
    const own = { top_k: 5, logit_bias: { "1": 2 }, verbosity: "low", temperature: 0.5 };
    await client.reply({ ...ASK, ...own, max_completion_tokens: 1_000_000, service_tier: "priority" });
    expect(asked[0]).toMatchObject({ ...own, model: "m", messages: ASK.messages });
    expect(asked[0]?.["max_tokens"] ?? asked[0]?.["max_completion_tokens"]).toBe(4_096);
    expect(asked[0]).not.toHaveProperty("service_tier");
    await client.reply({ ...ASK, max_completion_tokens: 1_000 });
    expect(asked[1]).not.toHaveProperty("stream_options");
  });

  test("is repeated byte for byte for its Idempotency-Key, without another upstream call", async () => {
    script = reply({ content: "Hi.", annotations: [] });
    const headers = { "idempotency-key": "wire-1" };
    const first = await (await client.post(ASK, headers)).text();
    const repeat = await client.post(ASK, headers);
    expect([repeat.headers.get("idempotent-replayed"), await repeat.text()]).toEqual(["true", first]);
    expect(asked).toHaveLength(1);
  });
});

describe("a stream", () => {
  const words = [
    deltaFrame({ role: "assistant", content: "" }),
    deltaFrame({ content: "Hi" }),
    deltaFrame({ content: "." }),
  ];

  test("is passed on in chunks; usage is always requested, and shown only to callers who ask for it", async () => {
    script = stream(...words, STOP, usageFrame(USAGE), DONE);
    const chunks = await client.chunks(ASK);
    expect(textOf(chunks)).toBe("Hi.");
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "stop" }], credits_charged: 20 });
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
    expect(asked[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    const withUsage = await client.chunks({ ...ASK, stream_options: { include_usage: true } });
    expect(withUsage.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 20 }, credits_charged: 20 });
  });

  test("assembles tool calls from fragments without index, with empty ids and names", async () => {
    const call = (fragment: object) => deltaFrame({ tool_calls: [fragment] });
    script = stream(
      call({ id: "c1", type: "function", function: { name: "get_time", arguments: "" } }),
      call({ id: "", function: { name: "", arguments: '{"zone":' } }),
      call({ function: { arguments: '"CET"}' } }),
      STOP,
      usageFrame(USAGE),
      DONE,
    );
    const chunks = await client.chunks({ ...ASK, tools: [tool("get_time")] });
    expect(callsOf(chunks)).toEqual([{ id: "c1", name: "get_time", arguments: '{"zone":"CET"}' }]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
  });

  test("assembles tool calls whose index comes late, streamed and whole", async () => {
    const call = (fragment: object) => deltaFrame({ tool_calls: [fragment] });
    script = stream(
      call({ id: "c1", type: "function", function: { name: "get_time", arguments: "" } }),
      call({ index: 0, function: { arguments: '{"zone":' } }),
      call({ index: 0, function: { arguments: '"CET"}' } }),
      STOP,
      usageFrame(USAGE),
      DONE,
    );
    const made = { name: "get_time", arguments: '{"zone":"CET"}' };
    const body = { ...ASK, tools: [tool("get_time")] };
    expect(callsOf(await client.chunks(body))).toEqual([{ id: "c1", ...made }]);
    const { choices } = await client.reply(body);
    expect(choices[0]?.message.tool_calls).toMatchObject([{ id: "c1", function: made }]);
  });

  test("keeps the arguments of a tool call that begin before its name", async () => {
    const call = (fragment: object) => deltaFrame({ tool_calls: [{ index: 0, ...fragment }] });
    script = stream(
      call({ function: { arguments: '{"zone"' } }),
      call({ id: "c1", function: { name: "get_time", arguments: ':"CET"}' } }),
      STOP,
      usageFrame(USAGE),
      DONE,
    );
    const chunks = await client.chunks({ ...ASK, tools: [tool("get_time")] });
    expect(callsOf(chunks)).toEqual([{ id: "c1", name: "get_time", arguments: '{"zone":"CET"}' }]);
  });

  test("is made from a whole reply if the upstream sends one", async () => {
    script = reply({ content: "Hi." });
    const chunks = await client.chunks(ASK);
    expect([textOf(chunks), chunks.at(-1)?.credits_charged]).toEqual(["Hi.", 20]);
  });

  test("that begins with an error becomes an HTTP error, and one that ends too early an error frame", async () => {
    script = stream(frame({ error: { message: "Overloaded", type: "server_error" } }));
    const first = await client.post({ ...ASK, stream: true });
    expect([first.status, first.headers.get("x-should-retry")]).toEqual([502, null]);
    script = stream(...words);
    const later = await (await client.post({ ...ASK, stream: true })).text();
    expect(later).toContain('"content":"Hi"');
    expect(later).toEndWith("data: [DONE]\n\n");
    expect(later).toContain('data: {"error":{"message":');
    expect(later).not.toMatch(/"finish_reason":"/);
  });

  test("is repeated for its Idempotency-Key with the same text and end, without another upstream call", async () => {
    script = stream(...words, STOP, usageFrame(USAGE), DONE);
    const headers = { "idempotency-key": "wire-2" };
    const first = await client.chunks(ASK, headers);
    const repeat = await client.chunks(ASK, headers);
    expect([textOf(repeat), repeat.at(-1)]).toEqual([textOf(first), first.at(-1) as never]);
    expect(asked).toHaveLength(1);
  });
});

test("an upstream that gives one of n answers is charged for one, and stays in use", async () => {
  const many = { ...ASK, n: 3, max_tokens: 50 };
  script = reply({ content: "Hi." });
  for (let call = 0; call < 6; call++) {
    const { choices, credits_charged } = await client.reply(many);
    expect([choices.length, credits_charged]).toEqual([1, 20]);
  }
  script = stream(deltaFrame({ content: "Hi." }), STOP, usageFrame(USAGE), DONE);
  const headers = { "idempotency-key": "one-of-many" };
  for (const chunks of [
    await client.chunks(many),
    await client.chunks(many, headers),
    await client.chunks(many, headers),
  ]) {
    expect([textOf(chunks), chunks.at(-1)?.credits_charged]).toEqual(["Hi.", 20]);
    expect(chunks.flatMap(({ choices }) => choices).every(({ index }) => index === 0)).toBe(true);
  }
});

test("each of n answers may have the full requested length, and all are charged as reported", async () => {
  const text = "word ".repeat(90);
  const delta = (index: number, delta: object, finish_reason: string | null = null) =>
    frame({ object: "chat.completion.chunk", choices: [{ index, delta, finish_reason }] });
  const answers = [0, 1, 2];
  const usage = { prompt_tokens: 11, completion_tokens: 290, total_tokens: 301 };
  // The end is a separate piece: an answer that has ended is never cut.
  const pieces = () =>
    new ReadableStream<string>({
      async start(controller) {
        for (const index of answers) controller.enqueue(delta(index, { role: "assistant", content: text }));
        await Bun.sleep(10);
        for (const index of answers) controller.enqueue(delta(index, {}, "stop"));
        controller.enqueue(usageFrame(usage) + DONE);
        controller.close();
      },
    });
  script = () => new Response(pieces(), { headers: { "content-type": "text/event-stream" } });
  const chunks = await client.chunks({ ...ASK, n: 3, max_tokens: 100 });
  const reasons = chunks.flatMap(({ choices }) =>
    choices.flatMap(({ finish_reason }) => finish_reason ?? []),
  );
  expect(reasons).toEqual(["stop", "stop", "stop"]);
  for (const index of answers) expect(textOf(chunks, index)).toBe(text);
  expect(chunks.at(-1)?.credits_charged).toBe(301);
});

test("a failure as finish reason is an error that costs nothing; a filter is content_filter and charged", async () => {
  const own = await gateway.found({ credits: 1_000 });
  const { post, reply: replyTo } = createChatClient(gateway, own);
  const main = (more: object = {}) =>
    fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...say("Hello"), model: "m", ...more }),
    });
  const ending = (word: string) => [
    deltaFrame({ content: "Hi" }),
    deltaFrame({}, word),
    usageFrame(USAGE),
    DONE,
  ];
  script = stream(...ending("network_error"));
  const frames = await (await post({ ...ASK, stream: true })).text();
  expect(frames).toContain(
    'data: {"error":{"message":"The model\'s provider failed (server error). Nothing was charged.',
  );
  expect(frames).not.toMatch(/"finish_reason":"/);
  expect(await (await main({ stream: true })).text()).toContain("event: error");
  expect([(await post(ASK)).status, (await main()).status]).toEqual([502, 502]);
  expect(await balanceOf(gateway, own)).toEqual({ total: 1_000, held: 0 });

  script = stream(...ending("SAFETY"));
  const { choices } = await replyTo(ASK);
  expect(choices[0]?.finish_reason).toBe("content_filter");
  expect(await (await main()).json()).toMatchObject({ finish_reason: "content_filter", credits_charged: 20 });
  expect(await balanceOf(gateway, own)).toEqual({ total: 960, held: 0 });
});

test("an upstream's refusal is a 400 with its code and field; for a full context, context_length_exceeded", async () => {
  const error = { message: "No.", type: "invalid_request_error", param: "prompt", code: "content_filter" };
  script = () => Response.json({ error: { ...error, innererror: { code: "x" } } }, { status: 400 });
  for (const isStreamed of [false, true]) {
    const refused = await client.post({ ...ASK, stream: isStreamed });
    expect([refused.status, await refused.json()]).toEqual([400, { error }]);
  }
  script = () =>
    Response.json({ error: { message: "Too long.", code: "context_length_exceeded" } }, { status: 400 });
  const overflow = await client.post(say("Hello", { model: "m" }));
  expect(await overflow.json()).toMatchObject({ error: { code: "context_length_exceeded" } });
});

test("unknown fields count for the hold and the context limit: a caller with too few credits gets 402", async () => {
  script = reply({ content: "Hi." });
  const poor = createChatClient(gateway, await gateway.found({ credits: 1_000 }));
  const body = { ...ASK, max_tokens: 50 };
  const laden = { ...body, documents: ["y".repeat(100_000)] };
  const refused = await poor.post(laden);
  expect([refused.status, asked.length]).toEqual([402, 0]);
  expect((await poor.post(body)).status).toBe(200);
  // A caller with enough credits is charged what the upstream reports.
  expect((await client.reply(laden)).credits_charged).toBe(20);
  const endless = await client.post({ ...body, documents: ["y".repeat(1_000_000)] });
  expect(await endless.json()).toMatchObject({ error: { code: "context_length_exceeded" } });
});

test("a reply is requested whole at any output limit, but as a stream if reasoning is requested", async () => {
  const streamed = stream(deltaFrame({ content: "Hi" }), STOP, usageFrame(USAGE), DONE);
  script = (body) => (body["stream"] === true ? streamed() : reply({ content: "Hi" })());
  const fresh = { ...ASK, model: "fresh" };
  for (const more of [{ max_tokens: 4_096 }, { max_tokens: 4_096 }, {}, { reasoning_effort: "high" }]) {
    expect((await client.reply({ ...fresh, ...more })).choices[0]?.message.content).toBe("Hi");
  }
  expect(asked.map((body) => body["stream"] ?? false)).toEqual([false, false, false, true]);
});
