import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { GARBLED_MODELS, GARBLED_WAYS, garbledVendors } from "./garbled-vendors.ts";
import { type LoggedNode, startLoggedNode } from "./logged-node.ts";

/** Each appears nowhere else, so wherever it is found, it has leaked. */
const PROMPT = "canaryprompt4711";
/** Asked for as a model; a caller may have put a prompt or a key there. */
const NO_MODEL = "canarymodel4711";
const ANSWER = "canaryanswer4712";
const PROVIDER_KEY = "sk-canaryprovider4713canaryprovider";
const BREAK = "\r\n\u001b[31m{forged}\u2028";

const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const body = await request.text();
    const garbled = vendors.answer(request, body);
    if (garbled !== null) return garbled;
    const message = { role: "assistant", content: `${ANSWER} ${BREAK}` };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    if (!body.includes("fail"))
      return Response.json({ choices, usage: { prompt_tokens: 5, completion_tokens: 5 } });
    const error = {
      message: `bad key ${PROVIDER_KEY} for ${PROMPT}${BREAK} at ${request.url}`,
      code: ANSWER,
    };
    return Response.json({ error }, { status: body.includes("fail500") ? 500 : 401 });
  },
});

const vendors = garbledVendors(`http://127.0.0.1:${upstream.port}`, PROVIDER_KEY, ANSWER);

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
let node: LoggedNode;
const replies: string[] = [];

beforeAll(async () => {
  settings = writeSettings({
    providers: {
      acme: { kind: "openai-wire", base_url: `http://127.0.0.1:${upstream.port}/v1`, api_key: PROVIDER_KEY },
      ...vendors.providers,
    },
    models: [
      {
        ...{ id: "acme-chat", name: "Chat", type: "text", targets: [{ provider: "acme", model: "m" }] },
        credits_per_request: 1,
        price: { input_per_million: 1, output_per_million: 1 },
        limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
      },
      ...vendors.models,
    ],
  });
  // It has none of these vendors configured: a video job that it took would wait ten seconds for the node that has.
  gateway = await startTestGateway({}, { runsVideoJobs: false });
  own = await gateway.found({ credits: 100_000 });
  node = await startLoggedNode(gateway.database.db.url, settings.environment);
  await makeTraffic();
  await makeGarbledTraffic();
}, 60_000);

afterAll(async () => {
  await node.remove();
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

async function call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${node.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/**
 * Calls that succeed, that fail at every place, and whose every part contains something that must not be logged or
 * stored.
 */
async function makeTraffic(): Promise<void> {
  const ask = (content: string) => ({ model: "acme-chat", messages: [{ role: "user", content }] });
  for (const path of ["/functions/v1/api-v1-chat", "/v1/chat/completions"]) {
    expect((await call(path, ask(PROMPT))).status).toBe(200);
    await (await call(path, { ...ask(PROMPT), stream: true })).text();
    for (const sent of [
      ask(`${PROMPT} fail`),
      ask(`${PROMPT} fail500`),
      { ...ask(PROMPT), model: NO_MODEL },
      { ...ask(PROMPT), max_tokens: PROMPT },
      `{"model":"${PROMPT}`,
    ]) {
      replies.push(await (await call(path, sent)).text());
    }
    for (const [name, value] of [
      ["authorization", `Bearer ${own.key}${PROMPT}`],
      ["idempotency-key", `${PROMPT} x`],
      ["x-member-user-id", PROMPT],
    ] as const) {
      replies.push(await (await call(path, ask("hi"), { [name]: value })).text());
    }
    replies.push(await (await call(`${path}/${PROMPT}%0d%0a?${PROMPT}`, ask("hi"))).text());
    await (await call(path, ask("hi"), { traceparent: PROMPT, "user-agent": PROMPT })).text();
  }
}

/** Calls whose vendor sends something unreadable, in the middle of a stream or instead of a file. */
async function makeGarbledTraffic(): Promise<void> {
  for (const way of GARBLED_WAYS) {
    const prompt = `${PROMPT} ${way}`;
    for (const model of GARBLED_MODELS.chat) {
      const sent = { model, messages: [{ role: "user", content: prompt }] };
      for (const path of ["/functions/v1/api-v1-chat", "/v1/chat/completions"]) {
        await expectFailed(await call(path, sent));
        replies.push(await (await call(path, { ...sent, stream: true })).text());
      }
    }
    for (const model of GARBLED_MODELS.images)
      await expectFailed(await call("/functions/v1/api-v1-images", { model, prompt }));
    for (const model of GARBLED_MODELS.audio)
      await expectFailed(await call("/functions/v1/api-v1-audio", { model, prompt }));
    // The prompt of a job is in its row until it has ended.
    for (const model of GARBLED_MODELS.video) {
      for (const asked of [prompt, `later ${way}`]) {
        expect((await call("/functions/v1/api-v1-video", { model, prompt: asked })).status).toBe(200);
      }
    }
  }
  const videos = GARBLED_MODELS.video.length * GARBLED_WAYS.length;
  for (const event of ["video_not_begun", "video_step_failed"]) await untilLogged(event, videos);
}

async function expectFailed(response: Response): Promise<void> {
  // After five failures its organization is not sent there for a while.
  expect([502, 503]).toContain(response.status);
  replies.push(await response.text());
}

/** Log lines are written in batches, a moment later. */
async function untilLogged(event: string, times: number): Promise<void> {
  const count = () => node.log().split(`"event":"${event}"`).length - 1;
  for (let looks = 0; count() < times; looks++) {
    if (looks >= 2_000) throw new Error(`${event}: ${count()} of ${times} in\n${linesOfVideos()}`);
    await Bun.sleep(20);
  }
}

function linesOfVideos(): string {
  const lines = node.log().split("\n");
  return lines.filter((line) => line.includes('"event":"video_')).join("\n");
}

const SECRETS = () => [own.key, PROMPT, ANSWER, PROVIDER_KEY];

function expectNone(text: string, also: readonly string[] = [NO_MODEL]): void {
  expect([...SECRETS(), ...also].filter((secret) => text.includes(secret))).toEqual([]);
}

describe("keys, prompts and provider texts appear", () => {
  test("in no log line, and every line is one JSON object", async () => {
    await untilLogged("request", replies.length);
    const lines = node.log().trim().split("\n");
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expectNone(node.log());
  });

  test("in no metric", async () => {
    const metrics = await (await fetch(`${node.origin}/metrics`)).text();
    expect(metrics).toContain("bursar_http_requests");
    expectNone(metrics);
    expect(metrics).not.toContain(own.id);
  });

  test("in no error reply", () => {
    expect(replies.length).toBeGreaterThan(15);
    // A refusal names the model that was asked for.
    for (const reply of replies) expectNone(reply, []);
  });

  test("in no table of the database", async () => {
    const { pool } = gateway.database.db;
    const { rows: tables } = await pool.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await pool.query<{ line: string }>(`select t::text as line from ${name} t`);
      expectNone(rows.map(({ line }) => line).join("\n"));
    }
  });
});

/** The error must be the last line of the log: after it, the state of the process is unknown, so it ends. */
async function expectEndBy(signal: NodeJS.Signals, ending: LoggedNode): Promise<void> {
  ending.signal(signal);
  expect(await ending.exited).toBe(1);
  expect(ending.log().trim().split("\n").at(-1)).toContain("unhandled_error");
  expect(ending.log()).not.toContain("svc_live_0123");
}

test("an unhandled rejection ends the process, and its last log line says so without secrets", async () => {
  await expectEndBy("SIGUSR2", node);
});

test("an uncaught error ends the process, and its last log line says so without secrets", async () => {
  const other = await startLoggedNode(gateway.database.db.url, {});
  try {
    await expectEndBy("SIGALRM", other);
  } finally {
    await other.remove();
  }
});
