import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 1_000_000;
const REPORTED = { prompt_tokens: 77_000, completion_tokens: 50, total_tokens: 77_050 };
const hasLeft = Promise.withResolvers<void>();

/** Sends its text, and reports its usage only when the client has disconnected. */
const upstream = Bun.serve({
  port: 0,
  fetch() {
    const chunk = (choices: readonly object[], usage: object | null) =>
      new TextEncoder().encode(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices, usage })}\n\n`,
      );
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(
          chunk([{ index: 0, delta: { content: "All of it." }, finish_reason: null }], null),
        );
        await hasLeft.promise;
        controller.enqueue(chunk([{ index: 0, delta: {}, finish_reason: "stop" }], null));
        controller.enqueue(chunk([], REPORTED));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  settings = writeSettings({
    providers: {
      acme: { kind: "openai-wire", base_url: baseUrl, api_key: "sk-test", on_disconnect: "stop" },
    },
    models: [
      {
        id: "m",
        name: "Reader",
        type: "text",
        targets: [{ provider: "acme", model: "reader" }],
        credits_per_request: 1,
        price: { input_per_million: 1_000_000, output_per_million: 1_000_000 },
        limits: { context_tokens: 200_000, max_output_tokens: 4_096, tokens_per_file: 150_000 },
        capabilities: ["files"],
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

/** 0 once the gateway has noticed that all clients have disconnected. */
function openStreams(): number {
  return Number(/^bursar_streams_open (\d+)/m.exec(gateway.services.metrics.render())?.[1]);
}

test("a client that disconnects pays for a file as its provider counts it, and for the text it got", async () => {
  const own = await gateway.found({ credits: CREDITS });
  const controller = new AbortController();
  const file = { filename: "book.pdf", file_data: "https://files.example/book.pdf" };
  const content = [
    { type: "file", file },
    { type: "text", text: "Sum it up." },
  ];
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: true,
      max_tokens: 100,
      messages: [{ role: "user", content }],
    }),
    signal: controller.signal,
  });
  const reader = response.body?.getReader();
  for (let text = ""; !text.includes("All of it."); ) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
    expect(done).toBe(false);
    text += new TextDecoder().decode(value);
  }
  controller.abort();
  while (openStreams() > 0) await Bun.sleep(1);
  hasLeft.resolve();
  await gateway.services.running.idle();
  const requestId = response.headers.get("x-request-id") ?? "";
  const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
  const row = await expectEnding(gateway.database.db, call, { status: "cancelled" });
  expect(row.input_tokens).toBe(77_000);
  expect(row.output_tokens).toBeWithin(1, 10);
  expect(row.charged).toBe(row.input_tokens + row.output_tokens);
});
