import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { completion } from "../upstream/chat-wire.ts";

/** Organizations share our accounts at providers: what their callers say of themselves must not meet there. */

let sent: Record<string, unknown> = {};
let sentText = "";
const RESPONSE = {
  ...{ object: "response", status: "completed", usage: { input_tokens: 1, output_tokens: 1 } },
  output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi." }] }],
};
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    sentText = await request.text();
    sent = JSON.parse(sentText);
    return request.url.endsWith("/responses")
      ? Response.json(RESPONSE)
      : new Response(completion(), { headers: { "content-type": "application/json" } });
  },
});

let gateway: TestGateway;
let settings: SettingsFile;
let first: TestOrganization;
let second: TestOrganization;
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  const { providers, models } = settingsFor(baseUrl, ["plain"]) as { providers: object; models: object[] };
  const as = (id: string) => ({ ...models[0], id, targets: [{ provider: id, model: id }] });
  const server = { base_url: baseUrl, api_key: "k" };
  settings = writeSettings({
    providers: {
      ...providers,
      responding: { ...server, kind: "openai-wire", responses: true },
      vllm: { ...server, kind: "vllm" },
    },
    models: [...models, as("responding"), as("vllm")],
  });
  gateway = await startTestGateway(settings.environment);
  first = await gateway.found({ credits: 10_000 });
  second = await gateway.found({ credits: 10_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const IDENTITIES = { user: "ada@acme.example", safety_identifier: "id-of-ada", prompt_cache_key: "ours-key" };
const KEPT = { store: true, metadata: { customer: "acme-customer" } };
const SAID = /ada@acme|id-of-ada|ours-key|acme-customer|given-salt/;

async function sentFor({ key }: TestOrganization, path: string, body: object) {
  sent = {};
  const response = await fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  expect(sentText).not.toMatch(SAID);
  expect([sent["background"], sent["metadata"], sent["store"] ?? false]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  const { user, safety_identifier, prompt_cache_key, cache_salt } = sent;
  return { user, safety_identifier, prompt_cache_key, cache_salt };
}

const messages = [{ role: "user", content: "hi" }];

test.each([
  ["/v1/chat/completions", { model: "plain", messages }],
  ["/v1/chat/completions", { model: "vllm", messages, cache_salt: "given-salt" }],
  ["/v1/responses", { model: "responding", input: "hi" }],
])("%s tells organizations apart, and each its own users and caches: %p", async (path, fields) => {
  const body = { ...fields, ...IDENTITIES, ...KEPT };
  const [ours, again] = [await sentFor(first, path, body), await sentFor(first, path, body)];
  const theirs = await sentFor(second, path, body);
  expect(again).toEqual(ours);
  for (const name of Object.keys(IDENTITIES) as (keyof typeof ours)[]) {
    expect(ours[name]).toBeString();
    expect(theirs[name]).not.toBe(ours[name]);
  }
  expect(typeof ours.cache_salt).toBe(fields.model === "vllm" ? "string" : "undefined");
});

test("a response that is translated says nothing of users and caches", async () => {
  const body = { model: "plain", input: "hi", ...IDENTITIES, ...KEPT };
  expect(Object.values(await sentFor(first, "/v1/responses", body))).toEqual(Array(4).fill(undefined));
});

test("the main interface tells vLLM which organization's cache of prompts to use", async () => {
  const salts = [];
  for (const organization of [first, first, second]) {
    const path = "/functions/v1/api-v1-chat";
    salts.push((await sentFor(organization, path, { model: "vllm", messages })).cache_salt);
  }
  expect(salts[0]).toBeString();
  expect([salts[1], salts[2] === salts[0]]).toEqual([salts[0], false]);
});
