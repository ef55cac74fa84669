import { afterAll, beforeAll, expect, test } from "bun:test";
import type { UsageView } from "../../gateway/src/usage/index.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { modelOf, settingsFor, UPSTREAM_KEY } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

const failed = (status: number, code: string, message = "No.") =>
  Response.json({ error: { code, message } }, { status });

/** What the upstream answers for a model, and the reason that the call's row has then. */
const ENDINGS: readonly (readonly [string, () => Response | Promise<Response>, string])[] = [
  [
    "wrong-key",
    () => failed(401, "invalid_api_key", `Incorrect key ${UPSTREAM_KEY}`),
    "provider_refused_our_key",
  ],
  ["forbidden", () => failed(403, "permission_denied"), "provider_refused_our_key"],
  ["blamed-key", () => failed(400, "api_key_invalid"), "provider_refused_our_key"],
  ["unpaid", () => failed(402, "insufficient_balance"), "provider_limit"],
  ["limit", () => failed(429, "rate_limit_exceeded"), "provider_limit"],
  ["no-model", () => failed(404, "model_not_found"), "provider_error"],
  ["failing", () => failed(500, "server_error"), "provider_error"],
  [
    "garbage",
    () => new Response("{half", { headers: { "content-type": "application/json" } }),
    "provider_bad_reply",
  ],
  ["invalid", () => failed(400, "invalid_request_error"), "provider_refused_request"],
  ["content", () => failed(400, "content_policy_violation"), "content_refused"],
  ["silent", () => new Promise(() => {}), "timeout_first_byte"],
];

let gateway: TestGateway;
let settings: SettingsFile;
let own: TestOrganization;
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const { model } = (await request.json()) as { model: string };
    const [, answer] = ENDINGS.find(([name]) => name === model) ?? [];
    return answer?.() ?? new Response(null, { status: 500 });
  },
});

beforeAll(async () => {
  const names = ENDINGS.map(([name]) => name);
  const timeouts = { first_byte_ms: 100 };
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, names, { timeouts }));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found();
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

async function chat(body: object): Promise<{ status: number; text: string; requestId: string }> {
  const response = await fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content: "Hello" }], stream: false, ...body }),
  });
  const requestId = response.headers.get("x-request-id") ?? "";
  return { status: response.status, text: await response.text(), requestId };
}

async function reasonOf(requestId: string): Promise<string | null | undefined> {
  const url = `${gateway.origin}/functions/v1/api-v1-usage?days=2`;
  const view = (await (
    await fetch(url, { headers: { authorization: `Bearer ${own.key}` } })
  ).json()) as UsageView;
  return view.requests.find(({ request_id }) => request_id === requestId)?.reason;
}

test.each(ENDINGS)("a call whose provider is %s has the reason in its row", async (name, _answer, reason) => {
  const { requestId } = await chat({ model: modelOf(name) });
  expect(await reasonOf(requestId)).toBe(reason);
});

test("a call that ended as it should has no reason; the sandbox's scripted 401 has that of a 401", async () => {
  const said = (content: string) => ({ model: "sandbox-chat", messages: [{ role: "user", content }] });
  expect(await reasonOf((await chat(said("Hello"))).requestId)).toBeNull();
  const { requestId } = await chat(said("[sandbox:error=401]"));
  expect(await reasonOf(requestId)).toBe("provider_refused_our_key");
});

test("a refused key is told to the caller as what it is, without the key or the provider's host", async () => {
  const { status, text } = await chat({ model: modelOf("wrong-key") });
  expect([status, JSON.parse(text).error.message]).toEqual([
    502,
    "The model's provider refused this gateway's key: its operator has to set a valid one. Nothing was charged.",
  ]);
  expect(text).not.toContain("canary");
});
