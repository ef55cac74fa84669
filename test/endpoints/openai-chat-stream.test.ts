import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import {
  balanceOf,
  type ChatClient,
  callsOf,
  createChatClient,
  lastRequestOf,
  readChunks,
  say,
  textOf,
  tool,
} from "./openai-chat-client.ts";

let gateway: TestGateway;
let organization: TestOrganization;
let client: ChatClient;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** Each test spends from its own organization. */
async function found(credits = 10): Promise<void> {
  organization = await gateway.found({ credits });
  client = createChatClient(gateway, organization);
}

async function readUntil(response: Response, mark: string) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let seen = "";
  while (!seen.includes(mark)) seen += new TextDecoder().decode((await reader.read()).value);
  return { reader, seen };
}

describe("a stream", () => {
  test("sends its text in chunks; its end reports the cost, and the balance agrees", async () => {
    await found();
    const response = await client.post(say("What is 6 times 7?", { stream: true }));
    expect(response.headers.get("x-ratelimit-limit-requests")).toBe("6000");
    const chunks = readChunks(await response.text());
    expect(chunks[0]?.id).toBe(`chatcmpl-${response.headers.get("x-request-id")}`);
    expect(textOf(chunks)).toContain("42");
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      credits_charged: 1,
      balance: { subscription: 0, anytime: 9 },
      efficiency: { tokens_saved: 0 },
    });
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
    expect(await balanceOf(gateway, organization)).toEqual({ total: 9, held: 0 });
  });

  test("has the same text and usage as the whole reply", async () => {
    await found();
    const whole = await client.reply(say("Tell me about harbours"));
    const chunks = await client.chunks(
      say("Tell me about harbours", { stream_options: { include_usage: true } }),
    );
    expect(textOf(chunks)).toBe(whole.choices[0]?.message.content ?? "");
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
  });

  test("with include_usage has null usage except in a last chunk without choices, which reports the cost", async () => {
    await found();
    const chunks = await client.chunks(say("hello", { stream_options: { include_usage: true } }));
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
      credits_charged: 1,
      balance: { anytime: 9 },
    });
  });

  test("calls tools in parallel, if required, and by name", async () => {
    await found();
    const tools = [tool("get_weather", { city: { type: "string" } }), tool("get_time")];
    const prompt = '[sandbox:call=get_weather {"city":"Oslo"}] [sandbox:call=get_time {}]';
    const parallel = await client.chunks(say(prompt, { tools }));
    expect(callsOf(parallel).map(({ name, arguments: text }) => [name, text])).toEqual([
      ["get_weather", '{"city":"Oslo"}'],
      ["get_time", "{}"],
    ]);
    expect(parallel.at(-1)?.choices[0]?.finish_reason).toBe("tool_calls");
    const forced = await client.chunks(say("Hello", { tools, tool_choice: "required" }));
    expect([callsOf(forced).length > 0, forced.at(-1)?.choices[0]?.finish_reason]).toEqual([
      true,
      "tool_calls",
    ]);
    const named = { type: "function", function: { name: "get_time" } };
    const chunks = await client.chunks(say("Hello", { tools, tool_choice: named }));
    expect([callsOf(chunks)[0]?.name, chunks.at(-1)?.choices[0]?.finish_reason]).toEqual([
      "get_time",
      "stop",
    ]);
  });

  test("with n answers has text for each and charges all of them", async () => {
    await found();
    const chunks = await client.chunks(say("Say hello", { n: 3 }));
    for (const index of [0, 1, 2]) expect(textOf(chunks, index)).not.toBe("");
    expect(chunks.at(-1)?.credits_charged).toBe(3);
    expect(await balanceOf(gateway, organization)).toEqual({ total: 7, held: 0 });
  });

  test("sends all reasoning before the text, if reasoning is requested", async () => {
    await found();
    const chunks = await client.chunks(say("What is 6 times 7?", { reasoning: { effort: "high" } }));
    const deltas = chunks.map(({ choices }) => choices[0]?.delta);
    const lastThought = deltas.findLastIndex((delta) => delta?.reasoning_content !== undefined);
    const firstWord = deltas.findIndex((delta) => Boolean(delta?.content));
    expect(lastThought).toBeGreaterThan(0);
    expect(firstWord).toBeGreaterThan(lastThought);
  });

  test("delivers text before the answer is finished", async () => {
    await found();
    const response = await client.post(say("[sandbox:delay=2s] Tell me a long story.", { stream: true }));
    const { reader } = await readUntil(response, '"content":"');
    expect(gateway.services.running.count).toBeGreaterThan(0);
    await reader.cancel();
    await gateway.services.running.idle();
  });
});

describe("a failure", () => {
  test.each([
    ["[sandbox:error=500]", 502, null],
    ["[sandbox:error=429]", 503, null],
    ["[sandbox:error=400]", 400, null],
  ])(
    "%s before the first event is an HTTP %i that charges nothing",
    async (directive, status, shouldRetry) => {
      await found();
      const response = await client.post(say(directive, { stream: true }));
      expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
      expect(response.headers.get("x-should-retry")).toBe(shouldRetry);
      expect(response.headers.get("x-ratelimit-remaining-requests")).toMatch(/^\d+$/);
      expect(await balanceOf(gateway, organization)).toEqual({ total: 10, held: 0 });
    },
  );

  test("mid-stream is an error frame, then [DONE], without a finish_reason, and costs nothing", async () => {
    await found();
    const text = await (await client.post(say("[sandbox:cut=after:20]", { stream: true }))).text();
    const frames = text.trimEnd().split("\n\n");
    expect(frames.at(-1)).toBe("data: [DONE]");
    expect(JSON.parse(frames.at(-2)?.slice("data: ".length) ?? "")).toEqual({
      error: {
        message: "The model's provider failed (server error). Nothing was charged.",
        type: "server_error",
        param: null,
        code: "internal_error",
      },
    });
    expect(text).not.toMatch(/"finish_reason":"/);
    expect(await balanceOf(gateway, organization)).toEqual({ total: 10, held: 0 });
    expect(await lastRequestOf(gateway, organization)).toMatchObject({
      status: "failed",
      credits_charged: 0,
    });
  });
});

describe("a repeat with its Idempotency-Key", () => {
  test.each([
    ["plain", say("Say hello to the harbour")],
    ["with usage", say("Say hello to the harbour", { stream_options: { include_usage: true } })],
    ["with tools", say('[sandbox:call=get_time {"zone":"CET"}]', { tools: [tool("get_time")] })],
    ["of two answers", say("Say hello", { n: 2 })],
  ])("%s has the same text, calls and end, and is free", async (_, body) => {
    await found();
    const headers = { "idempotency-key": "s-1" };
    const first = await client.chunks(body, headers);
    const spent = await balanceOf(gateway, organization);
    const response = await client.post({ ...body, stream: true }, headers);
    expect(response.headers.get("idempotent-replayed")).toBe("true");
    const repeat = readChunks(await response.text());
    expect([textOf(repeat), textOf(repeat, 1)]).toEqual([textOf(first), textOf(first, 1)]);
    expect(callsOf(repeat)).toEqual(callsOf(first));
    expect(repeat.at(-1)).toEqual(first.at(-1) as never);
    expect(await balanceOf(gateway, organization)).toEqual(spent);
  });
});

describe("a client that disconnects", () => {
  async function leave(content: string, until: string | null, headers = {}): Promise<void> {
    const controller = new AbortController();
    const opening = client.post(say(content, { stream: true }), headers, controller.signal);
    if (until === null) {
      while (gateway.services.running.count === 0) await Bun.sleep(1);
      controller.abort();
      await expect(opening).rejects.toThrow();
    } else {
      await readUntil(await opening, until);
      controller.abort();
    }
    await gateway.services.running.idle();
  }

  test("mid-stream pays for what was delivered, and the provider is stopped", async () => {
    await found();
    await leave("[sandbox:delay=60s] Tell me a long story.", '"content":"');
    expect(await balanceOf(gateway, organization)).toEqual({ total: 9, held: 0 });
    const request = await lastRequestOf(gateway, organization);
    expect(request).toMatchObject({ status: "cancelled", credits_charged: 1 });
    expect(Number(request["output_tokens"])).toBeLessThan(20);
  });

  test("before the first event pays for the input", async () => {
    await found();
    await leave("[sandbox:first-byte=60s] hello", null);
    expect(await lastRequestOf(gateway, organization)).toMatchObject({
      status: "cancelled",
      output_tokens: 0,
    });
    expect(await balanceOf(gateway, organization)).toEqual({ total: 9, held: 0 });
  });

  test("with an Idempotency-Key pays for the whole answer, and a repeat gets it", async () => {
    await found();
    const headers = { "idempotency-key": "s-2" };
    const content = "[sandbox:delay=200ms] Say hello to the harbour";
    await leave(content, '"content":"', headers);
    const chunks = await client.chunks(say(content), headers);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: "stop" }], credits_charged: 1 });
    expect(await balanceOf(gateway, organization)).toEqual({ total: 9, held: 0 });
  });

  test("three hundred times at nine points leaves no hold, correct books, and every call charged", async () => {
    await found(10_000);
    async function hangUp(reads: number): Promise<void> {
      const controller = new AbortController();
      const body = say("[sandbox:delay=80ms] Tell me a story.", { stream: true });
      const answered = await client.post(body, {}, controller.signal);
      expect(answered.status).toBe(200);
      const reader = (answered.body as ReadableStream).getReader();
      for (let read = 0; read < reads; read++) await reader.read();
      controller.abort();
    }
    await Promise.all(Array.from({ length: 300 }, (_, at) => hangUp(at % 9)));
    await gateway.services.running.idle();
    expect(await balanceOf(gateway, organization)).toEqual({ total: 9_700, held: 0 });
    expect((await verifyLedger(gateway.services.db, { orgId: organization.id })).faults).toEqual([]);
  });
});
