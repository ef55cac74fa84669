import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type LoggedNode, startLoggedNode } from "./logged-node.ts";

/** Each is found nowhere else in the world, so wherever it shows up it has leaked. */
const PROMPT = "canaryprompt4711";
const ANSWER = "canaryanswer4712";
const PROVIDER_KEY = "sk-canaryprovider4713canaryprovider";
const BREAK = "\r\n\u001b[31m{forged}\u2028";

const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const body = await request.text();
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

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
let node: LoggedNode;
const replies: string[] = [];

beforeAll(async () => {
  settings = writeSettings({
    providers: {
      acme: { kind: "openai-wire", base_url: `http://127.0.0.1:${upstream.port}/v1`, api_key: PROVIDER_KEY },
    },
    models: [
      {
        ...{ id: "acme-chat", name: "Chat", type: "text", targets: [{ provider: "acme", model: "m" }] },
        credits_per_request: 1,
        price: { input_per_million: 1, output_per_million: 1 },
        limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
      },
    ],
  });
  gateway = await startTestGateway();
  own = await gateway.found({ credits: 100_000 });
  node = await startLoggedNode(gateway.database.db.url, settings.environment);
  await makeTraffic();
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

/** Calls that succeed, that fail at every place, and whose every part holds something that must not be written. */
async function makeTraffic(): Promise<void> {
  const ask = (content: string) => ({ model: "acme-chat", messages: [{ role: "user", content }] });
  for (const path of ["/functions/v1/api-v1-chat", "/v1/chat/completions"]) {
    expect((await call(path, ask(PROMPT))).status).toBe(200);
    await (await call(path, { ...ask(PROMPT), stream: true })).text();
    for (const sent of [
      ask(`${PROMPT} fail`),
      ask(`${PROMPT} fail500`),
      { ...ask(PROMPT), model: PROMPT },
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

const SECRETS = () => [own.key, PROMPT, ANSWER, PROVIDER_KEY];

function expectNone(text: string): void {
  expect(SECRETS().filter((secret) => text.includes(secret))).toEqual([]);
}

describe("keys, prompts and what providers say appear", () => {
  test("in no log, at its most talkative, and every line of it is one JSON object", async () => {
    // Lines are written together, a moment after they were said.
    for (let looks = 0; node.log().split('"event":"request"').length <= replies.length; looks++) {
      expect(looks).toBeLessThan(1_000);
      await Bun.sleep(20);
    }
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

  test("in no refusal", () => {
    expect(replies.length).toBeGreaterThan(15);
    for (const reply of replies) expectNone(reply);
  });

  test("in no dump of the database", async () => {
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

test("a rejection that nobody handles ends the process at once, and says so without its secrets", async () => {
  node.signal("SIGUSR2");
  expect(await node.exited).toBe(1);
  const last = node.log().trim().split("\n").at(-1) ?? "";
  expect(last).toContain("unhandled_error");
  expect(last).not.toContain("svc_live_0123");
});
