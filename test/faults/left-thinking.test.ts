import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { DONE, deltaFrame, STOP, usageFrame } from "../upstream/chat-wire.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100_000;
const THOUGHT_TOKENS = 400;
const INPUT_TOKENS = 11;
const WORDS = 20;
const REPORTED = INPUT_TOKENS + THOUGHT_TOKENS + WORDS;
/** The next call thinks for as long, or a little less. */
const LONG_MS = 300;
const SHORT_MS = 200;
/** Anything up to twice the thinking that was learned, since the machine may be busy. */
const THOUGHT = [WORDS + THOUGHT_TOKENS / 8, 2 * THOUGHT_TOKENS + WORDS + 30] as const;

/** How long the upstream thinks unseen, and what it says of that before. */
let thinkingMs = 0;
let summary = "";
/** It breaks off instead of ending. */
let breaksOff = false;
/** What it waits for, unless its client leaves: before its headers, and before its usage report. */
let mayAnswer = Promise.resolve();
let mayEnd = Promise.resolve();
/** When the gateway has asked it, when it has sent the last word, and when the gateway has left it. */
let asked = Promise.withResolvers<void>();
let wrote = Promise.withResolvers<void>();
let left = Promise.withResolvers<void>();

const upstream = Bun.serve({
  port: 0,
  async fetch({ signal }) {
    const { promise: goneAway, resolve } = left;
    signal.addEventListener("abort", () => resolve());
    asked.resolve();
    await Promise.race([mayAnswer, goneAway]);
    async function* frames() {
      yield ": thinking\n\n";
      for (const reasoning_content of summary.match(/\w+ /g) ?? []) yield deltaFrame({ reasoning_content });
      await Bun.sleep(thinkingMs);
      for (let at = 0; at < WORDS; at++) yield deltaFrame({ content: "word " });
      yield deltaFrame({ content: "ENDMARK" });
      wrote.resolve();
      await Promise.race([mayEnd, goneAway]);
      if (breaksOff) return;
      yield STOP;
      const completion_tokens = THOUGHT_TOKENS + WORDS;
      const completion_tokens_details = { reasoning_tokens: THOUGHT_TOKENS };
      const total_tokens = INPUT_TOKENS + completion_tokens;
      const usage = { prompt_tokens: INPUT_TOKENS, completion_tokens, total_tokens };
      yield usageFrame({ ...usage, completion_tokens_details });
      yield DONE;
    }
    const body = new ReadableStream<string>({
      async start(controller) {
        for await (const frame of frames()) controller.enqueue(frame);
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
let models = 0;
beforeAll(async () => {
  settings = writeSettings({
    timeouts: { call_ms: 2_000 },
    providers: { acme: { kind: "openai-wire", base_url: `http://127.0.0.1:${upstream.port}/v1` } },
    models: Array.from({ length: 20 }, (_, at) => ({
      ...{ id: `thinker-${at}`, name: "Thinker", type: "text", credits_per_request: 1 },
      targets: [{ provider: "acme", model: `thinker-${at}` }],
      price: { input_per_million: 1_000_000, output_per_million: 1_000_000 },
      limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
      capabilities: ["reasoning"],
    })),
  });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});
/** Each test has a model of which nothing is known. */
beforeEach(() => {
  models++;
  thinkingMs = LONG_MS;
  summary = "";
  breaksOff = false;
  mayAnswer = Promise.resolve();
  mayEnd = Promise.resolve();
});
const NEVER = new Promise<void>(() => {});

const WIRES = {
  "api-v1-chat": ["/functions/v1/api-v1-chat", "messages"],
  "chat/completions": ["/v1/chat/completions", "messages"],
  responses: ["/v1/responses", "input"],
} as const;

type Sending = { readonly signal?: AbortSignal; readonly fields?: object };

async function send(wire: keyof typeof WIRES, { signal, fields = {} }: Sending = {}): Promise<Response> {
  asked = Promise.withResolvers();
  wrote = Promise.withResolvers();
  left = Promise.withResolvers();
  own = await gateway.found({ credits: CREDITS });
  const [path, field] = WIRES[wire];
  return fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ model: `thinker-${models}`, stream: true },
      [field]: [{ role: "user", content: "hello there" }],
      ...fields,
    }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Stays to the end of an answer, and has the next one thought about for a little less. */
async function stay(wire: keyof typeof WIRES): Promise<void> {
  const response = await send(wire);
  await response.text();
  await endedAs(response.headers.get("x-request-id") ?? "", { status: "succeeded", charged: REPORTED });
  thinkingMs = SHORT_MS;
}

/** Reads to this mark, the last word, and leaves. */
async function leave(wire: keyof typeof WIRES, mark = "ENDMARK", fields = {}): Promise<string> {
  const controller = new AbortController();
  const response = await send(wire, { signal: controller.signal, fields });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let seen = "";
  while (!seen.includes(mark)) seen += new TextDecoder().decode((await reader.read()).value);
  controller.abort();
  return response.headers.get("x-request-id") ?? "";
}

/** 0 once the gateway has noticed that all clients have disconnected. */
function openStreams(): number {
  return Number(/^bursar_streams_open (\d+)/m.exec(gateway.services.metrics.render())?.[1]);
}

async function endedAs(requestId: string, ending: Parameters<typeof expectEnding>[2]) {
  await gateway.services.running.idle();
  return expectEnding(gateway.database.db, { orgId: own.id, requestId, creditsBefore: CREDITS }, ending);
}

for (const wire of Object.keys(WIRES) as (keyof typeof WIRES)[]) {
  describe(`a client of ${wire} that leaves at the last word of an answer that was thought out unseen`, () => {
    test.each([
      ["", ""],
      [", less what a summary has shown", "Let me see. "],
    ])("pays for the thinking by the pace of the target's finished calls%s", async (_, said) => {
      await stay(wire);
      mayEnd = NEVER;
      summary = said;
      const requestId = await leave(wire);
      await left.promise;
      const row = await endedAs(requestId, { status: "cancelled" });
      expect(row.output_tokens).toBeWithin(...THOUGHT);
      expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    });

    test("pays as reported while nothing is learned: it is read to its end", async () => {
      const end = Promise.withResolvers<void>();
      mayEnd = end.promise;
      const requestId = await leave(wire);
      while (openStreams() > 0) await Bun.sleep(1);
      end.resolve();
      await endedAs(requestId, { status: "succeeded", charged: REPORTED });
    });

    test("pays for what was delivered if the provider breaks off after that", async () => {
      const end = Promise.withResolvers<void>();
      mayEnd = end.promise;
      breaksOff = true;
      const requestId = await leave(wire);
      while (openStreams() > 0) await Bun.sleep(1);
      end.resolve();
      const row = await endedAs(requestId, { status: "cancelled" });
      expect(row.output_tokens).toBeWithin(WORDS, WORDS + 10);
      expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    });
  });
}

test("a client that leaves pays for no thinking that it has switched off", async () => {
  await stay("chat/completions");
  mayEnd = NEVER;
  const row = await endedAs(await leave("chat/completions", "ENDMARK", { reasoning_effort: "none" }), {
    status: "cancelled",
  });
  expect(row.output_tokens).toBeWithin(WORDS, WORDS + 10);
});

test("an answer that we cut in time costs the thinking, too", async () => {
  await stay("chat/completions");
  mayEnd = NEVER;
  const response = await send("chat/completions");
  await response.text();
  const row = await endedAs(response.headers.get("x-request-id") ?? "", { status: "succeeded" });
  expect(row.output_tokens).toBeWithin(...THOUGHT);
});

describe("a client that leaves a whole reply", () => {
  /** Asks for it in one piece, and leaves at this moment. */
  async function leaveReply(moment: () => Promise<void>) {
    await stay("chat/completions");
    mayEnd = NEVER;
    const controller = new AbortController();
    const asking = send("chat/completions", { signal: controller.signal, fields: { stream: false } });
    await moment();
    controller.abort();
    await expect(asking).rejects.toThrow();
    await left.promise;
    await gateway.services.running.idle();
    const { rows } = await gateway.database.db.pool.query<{ id: string }>(
      "select request_id as id from requests where org_id = $1",
      [own.id],
    );
    return endedAs(rows[0]?.id ?? "", { status: "cancelled" });
  }

  test("pays for the thinking since the provider's headers", async () => {
    const row = await leaveReply(() => wrote.promise);
    expect(row.output_tokens).toBeWithin(THOUGHT_TOKENS / 8, 2 * THOUGHT_TOKENS + 1);
  });

  test("pays for its input alone while there are none", async () => {
    const row = await leaveReply(async () => {
      mayAnswer = NEVER;
      await asked.promise;
      await Bun.sleep(20);
    });
    expect([row.output_tokens, row.charged]).toEqual([0, row.input_tokens]);
  });
});

test("a client that leaves before the provider has answered at all pays for its input alone", async () => {
  await stay("api-v1-chat");
  mayAnswer = NEVER;
  const requestId = await leave("api-v1-chat", "connection_established");
  const row = await endedAs(requestId, { status: "cancelled" });
  expect([row.output_tokens, row.charged]).toEqual([0, row.input_tokens]);
});
