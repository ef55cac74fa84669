import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { scriptedSettings } from "../conformance/scripted-settings.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type PublishedDocument, readPublishedDocument } from "../published-document.ts";

/** Fields that some providers of this wire send beside the standard ones. */
const CHAT_ANSWER = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "scripted",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hi.", channel: "final", refusal: null },
      finish_reason: "stop",
      matched_stop: 2,
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, queue_time: 0.1 },
  service_tier: "on_demand",
  citations: ["https://example.com"],
};
const RESPONSE_ANSWER = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "scripted",
  output: [
    {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "x", sources: [] },
    },
    {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      phase: "final_answer",
      content: [{ type: "output_text", text: "Hi.", annotations: [] }],
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  billing: { payer: "somebody" },
};

let upstream: Bun.Server<unknown>;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
let published: PublishedDocument;
beforeAll(async () => {
  upstream = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => Response.json(url.endsWith("/responses") ? RESPONSE_ANSWER : CHAT_ANSWER),
  });
  settings = writeSettings(scriptedSettings(`${upstream.url.origin}/v1`));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
  published = await readPublishedDocument(gateway.origin);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

async function send(path: string, body: Readonly<Record<string, unknown>>): Promise<Response> {
  return fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const USER = { role: "user", content: "Hello" };
const CHAT = { model: "scripted-both", messages: [USER] };
const TOOL = { type: "function", function: { name: "f" } };

describe("the API document allows extra fields that a provider sends", () => {
  test.each([
    ["/v1/chat/completions", CHAT, "citations"],
    ["/v1/responses", { model: "scripted-both", input: "Hello" }, "billing"],
  ])("%s", async (path, body, extra) => {
    const response = await send(path, body);
    const reply = (await response.json()) as object;
    expect(reply).toHaveProperty(extra);
    published.expectReply({ method: "POST", path }, response, reply);
  });
});

describe("the API document allows these accepted requests", () => {
  test.each([
    [
      "a function result in the older form",
      { messages: [USER, { role: "function", name: "f", content: "1" }] },
    ],
    ["the tool choice any", { tools: [TOOL], tool_choice: "any" }],
    ["another response format", { response_format: { type: "grammar", grammar: "root ::= [a]" } }],
    ["another reasoning effort", { reasoning_effort: "ultra" }],
  ])("%s", async (_, change) => {
    const body = { ...CHAT, ...change };
    expect((await send("/v1/chat/completions", body)).status).toBe(200);
    expect(published.acceptsRequest({ method: "POST", path: "/v1/chat/completions" }, body)).toBe(true);
  });
});

describe("the API document refuses these requests, and so does the service", () => {
  const chat = "/v1/chat/completions";
  const tool = { role: "tool", content: "1" };
  const most = 2 ** 31;
  const response = { model: "scripted-both", input: "Hello" };
  const image = { model: "sandbox-image", prompt: "A lighthouse" };
  const native = { model: "sandbox-chat", messages: [USER] };
  test.each([
    [chat, { ...CHAT, messages: [] }],
    [chat, { ...CHAT, model: "" }],
    [chat, { ...CHAT, max_tokens: most }],
    [chat, { ...CHAT, max_completion_tokens: most }],
    [chat, { ...CHAT, messages: [USER, tool] }],
    [chat, { ...CHAT, messages: [USER, { ...tool, tool_call_id: "" }] }],
    ["/v1/responses", { ...response, input: [] }],
    ["/v1/responses", { ...response, max_output_tokens: most }],
    ["/v1/images/generations", { ...image, size: "big" }],
    ["/v1/images/generations", { ...image, size: "1024x1024px" }],
    ["/functions/v1/api-v1-chat", { ...native, max_tokens: most }],
    [
      "/functions/v1/api-v1-audio",
      { model: "sandbox-music", prompt: "x", audio_kind: "music", reference_image_urls: ["x"] },
    ],
  ])("%s %j", async (path, body) => {
    expect((await send(path, body)).status).toBe(400);
    expect(published.acceptsRequest({ method: "POST", path }, body)).toBe(false);
  });

  test("an empty cursor, and an Idempotency-Key with a space", async () => {
    const headers = { authorization: `Bearer ${own.key}`, "content-type": "application/json" };
    const assets = await fetch(`${gateway.origin}/functions/v1/api-v1-assets?cursor=`, { headers });
    const keyed = await fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": "a b" },
      body: JSON.stringify(native),
    });
    expect([assets.status, keyed.status]).toEqual([400, 400]);
    const parameters = JSON.stringify(await (await fetch(`${gateway.origin}/openapi.json`)).json());
    expect(parameters).toContain('"schema":{"type":"string","minLength":1}');
    expect(parameters).toContain('"schema":{"type":"string","pattern":"^[!-~]{1,255}$"}');
  });
});
