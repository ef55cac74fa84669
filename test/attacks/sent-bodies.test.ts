import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { completionWith, USAGE } from "../upstream/chat-wire.ts";

/** An upstream of the same wire, which records its requests as they came. */
const received: string[] = [];
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    received.push(await request.text());
    const message = { role: "assistant", content: "Hi.", refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
    return new Response(completionWith({ choices, usage: USAGE }), {
      headers: { "content-type": "application/json" },
    });
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, ["m"]));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 10_000_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const CHAT = "/v1/chat/completions";
const PATHS = [CHAT, "/v1/responses", "/functions/v1/api-v1-chat"];
/** A short body is written anew; of a long one, what nobody changed is sent in the caller's bytes. */
const LENGTHS = [10, 20_000];

async function send(path: string, body: string): Promise<{ status: number; sent: string[] }> {
  received.length = 0;
  const response = await fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body,
  });
  await response.text();
  return { status: response.status, sent: [...received] };
}

/** A body with more members of its own, of its first message and of a part of that. */
function bodyFor(
  path: string,
  length: number,
  more: { top?: string; message?: string; part?: string },
): string {
  const { top = "", message = "", part = "" } = more;
  const text = JSON.stringify("go on. ".repeat(length / 7));
  const parts = `[{"type":"${path === "/v1/responses" ? "input_text" : "text"}","text":${text}${part}}]`;
  const content = path === CHAT || path === "/v1/responses" ? parts : text;
  const list = path === "/v1/responses" ? "input" : "messages";
  return `{"model":"m","${list}":[{"role":"user","content":${content}${message}},{"role":"user","content":${text}}]${top}}`;
}

/** Every name in what was sent, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(namesIn);
  return Array.isArray(value) ? inside : [...Object.keys(value), ...inside];
}

describe.each(PATHS)("in a call to %s", (path) => {
  test.each([
    '"service_tier":"priority"',
    '"servic\\u0065_tier":"priority"',
    '"service\\u005ftier":"priority"',
    '"Service_Tier":"priority"',
    '"\\u017fervice_tier":"priority"',
    '"ſervice_tier":"priority"',
    '"\\u0073peed":"fast"',
    '"providerOptions":{"gateway":{"order":["x"]}}',
  ])("a field without a price is not sent, however it is written: %s", async (field) => {
    for (const length of LENGTHS) {
      const { status, sent } = await send(path, bodyFor(path, length, { top: `,${field}` }));
      expect([status, sent.length]).toEqual([200, 1]);
      const names = Object.keys(JSON.parse(sent[0] ?? "")).map((name) => name.toLowerCase());
      expect(names.filter((name) => /tier|speed|provider/.test(name))).toEqual([]);
    }
  });

  test.each([
    '"cache_control":{"type":"ephemeral","ttl":"1h"}',
    '"cache_control" : {"type":"ephemeral","\\u0074tl":"1h"}',
    '"cache\\u005fcontrol":{"type":"ephemeral","ttl":"1h"}',
    '"\\u0063ache_control":{"type":"ephemeral","ttl":"1h"}',
    '"providerOptions":{"anthropic":{"cacheControl":{"type":"ephemeral","ttl":"1h"}}}',
    '"provider\\u004fptions":{"anthropic":{"cacheControl":{"type":"ephemeral","ttl":"1h"}}}',
    '"provider\\u005foptions":{"anthropic":{"cacheControl":{"type":"ephemeral","ttl":"1h"}}}',
  ])("a cache mark is sent for the priced lifetime at most, however it is written: %s", async (field) => {
    for (const length of LENGTHS)
      for (const place of ["top", "message", "part"]) {
        const { status, sent } = await send(path, bodyFor(path, length, { [place]: `,${field}` }));
        expect([place, status, sent.length]).toEqual([place, 200, 1]);
        expect(namesIn(JSON.parse(sent[0] ?? ""))).not.toContain("ttl");
      }
  });

  test.each([
    { top: ',"model":"m"' },
    { top: ',"m\\u006fdel":"m"' },
    { message: ',"role":"system"' },
    { message: ',"r\\u006fle":"system"' },
    { message: ',"content":"short"' },
  ])("a name that is given twice is refused, and nothing is sent: %j", async (twice) => {
    for (const length of LENGTHS)
      expect(await send(path, bodyFor(path, length, twice))).toEqual({ status: 400, sent: [] });
  });
});

test("long bodies of calls at the same time are sent as they came, never mixed, whole or in chunks", async () => {
  received.length = 0;
  const sizes = [9_000, 70_000, 100_000, 9_001];
  const asked = Array.from({ length: 48 }, (_, at) => {
    const text = `“${at}” `.repeat((sizes[at % sizes.length] ?? 0) / 9);
    const messages = [
      { role: "user", content: text },
      { role: "assistant", content: `${at}` },
      { role: "user", content: text },
    ];
    return { path: at % 3 === 0 ? "/functions/v1/api-v1-chat" : CHAT, messages, isChunked: at % 2 === 0 };
  });
  const statuses = await Promise.all(
    asked.map(async ({ path, messages, isChunked }, at) => {
      // A quarter of them are so large that they wait for their turn.
      const blanks = " ".repeat(at % 4 === 3 ? 1_500_000 : 0);
      const body = Buffer.from(JSON.stringify({ model: "m", messages }) + blanks);
      const response = await fetch(`${gateway.origin}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
        body: isChunked ? inChunks(body) : body,
      });
      await response.text();
      return response.status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const sent = received.map((text) => JSON.stringify(JSON.parse(text).messages)).sort();
  expect(sent).toEqual(asked.map(({ messages }) => JSON.stringify(messages)).sort());
});

function inChunks(body: Buffer): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1);
      if (at >= body.length) return controller.close();
      controller.enqueue(body.subarray(at, at + 50_000));
      at += 50_000;
    },
  });
}
