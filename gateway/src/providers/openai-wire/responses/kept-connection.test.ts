import { afterAll, beforeAll, expect, test } from "bun:test";
import { type RawServer, startRawServer } from "../../../../../test/upstream/raw-http.ts";
import type { ChatEvent, ChatRequest } from "../../../contract/index.ts";
import { createPublicFetch } from "../../../outbound/index.ts";
import { never, testFetch } from "../../../outbound/testing.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "../provider.ts";

/** The body ends this much later than the last event, as with a busy server. */
const LATE_MS = 5;

let upstream: RawServer;
let ended = Promise.withResolvers<void>();
beforeAll(async () => {
  upstream = await startRawServer(async ({ request, push }) => {
    const { model } = JSON.parse(request.text) as { model: string };
    await push("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
    const response = { status: model.split(".")[1], output: [], error: null, usage: null };
    const named = `event: ${model}\ndata: ${JSON.stringify({ type: model, response })}\n\n`;
    await push(`${named.length.toString(16)}\r\n${named}\r\n`);
    await Bun.sleep(LATE_MS);
    await push("0\r\n\r\n");
    ended.resolve();
  });
});
afterAll(() => upstream.close());

async function ask(model: string): Promise<readonly ChatEvent[]> {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  const settings = { name: "acme", kind: null, baseUrl, apiKey: "k", responses: true };
  const { text } = createOpenAiWireProvider(settings, WIRE_VENDORS.openai, {
    outbound: testFetch(),
    fetchPublic: createPublicFetch(),
  });
  const body = { model: "m", input: "hi" };
  const request: ChatRequest = {
    messages: [{ role: "user", content: "hi" }],
    maxOutputTokens: 10,
    wire: { kind: "responses", body },
  };
  const batches = text?.chat(model, request, { requestId: "r", signal: never() }) ?? [];
  const events: ChatEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

test.each(["response.completed", "response.incomplete", "response.failed"])(
  "%s ends a response, and its connection serves the next call",
  async (model) => {
    const before = upstream.connections;
    for (let at = 0; at < 4; at++) {
      ended = Promise.withResolvers();
      const events = await ask(model).catch((error: Error) => [{ type: error.name }]);
      expect(events.map(({ type }) => type)).toEqual([
        model === "response.failed" ? "ProviderFailure" : "finish",
      ]);
      // The end of the body is read in the background.
      await ended.promise;
      await Bun.sleep(LATE_MS);
    }
    expect(upstream.connections - before).toBeLessThanOrEqual(1);
  },
);
