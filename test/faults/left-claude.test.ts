import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { leaveAfter } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100_000;
const COUNTED = { input_tokens: 20, cache_read_input_tokens: 1_000, cache_creation_input_tokens: 0 };
/** From a server that counts only at the end. */
const NOT_YET = { input_tokens: 0 };
let input: object = COUNTED;

/** Reports its input tokens, sends one word, and goes on reasoning. */
const upstream = Bun.serve({
  port: 0,
  fetch() {
    const usage = { ...input, output_tokens: 1 };
    const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], usage };
    const events = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Well" } },
    ];
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  const price = { input_per_million: 1_000_000, output_per_million: 1_000_000 };
  settings = writeSettings({
    providers: { claude: { kind: "anthropic", base_url: baseUrl, api_key: "sk-test" } },
    models: [
      {
        id: "m",
        name: "Claude",
        type: "text",
        targets: [{ provider: "claude", model: "claude-opus-5" }],
        credits_per_request: 1,
        price: { ...price, cached_input_per_million: 100_000 },
        limits: { context_tokens: 128_000, max_output_tokens: 4_000 },
      },
    ],
  });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

async function leave() {
  const own = await gateway.found({ credits: CREDITS });
  const content = "word ".repeat(1_000);
  const requestId = await leaveAfter({ origin: gateway.origin, of: own, model: "m", content }, "Well");
  await gateway.services.running.idle();
  const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
  return expectEnding(gateway.database.db, call, { status: "cancelled" });
}

test("a client that disconnects pays for the input as reported, cached tokens at their own rate", async () => {
  input = COUNTED;
  const row = await leave();
  expect(row.input_tokens).toBe(1_020);
  expect(row.charged).toBe(20 + 100 + row.output_tokens);
});

test("a client that disconnects before any count was reported pays for the input by our estimate", async () => {
  input = NOT_YET;
  const row = await leave();
  expect(row.input_tokens).toBeGreaterThan(900);
  expect(row.charged).toBe(row.input_tokens + row.output_tokens);
});
