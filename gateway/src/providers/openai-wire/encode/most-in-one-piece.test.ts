import { afterAll, expect, test } from "bun:test";
import { ANSWER_TEXT, completion, errorBody, goodFrames } from "../../../../../test/upstream/chat-wire.ts";
import type { ChatRequest } from "../../../contract/index.ts";
import { createPublicFetch } from "../../../outbound/index.ts";
import { never, testFetch } from "../../../outbound/testing.ts";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "../provider.ts";
import type { WireVendor } from "../vendor.ts";

const { fireworks, together } = WIRE_VENDORS;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(asked) {
    const { stream, max_tokens: most } = (await asked.json()) as Record<string, unknown>;
    if (stream === true) {
      return new Response(goodFrames().join(""), { headers: { "content-type": "text/event-stream" } });
    }
    const isRefused = Number(most) > 4_096;
    const text = isRefused
      ? errorBody("Requests with max_tokens > 4096 must have stream=true")
      : completion();
    return new Response(text, {
      status: isRefused ? 400 : 200,
      headers: { "content-type": "application/json" },
    });
  },
});
afterAll(() => server.stop(true));

async function answered(vendor: WireVendor, maxOutputTokens: number): Promise<string> {
  const settings = { name: "acme", kind: null, baseUrl: `http://127.0.0.1:${server.port}/v1`, apiKey: "k" };
  const ways = { outbound: testFetch(), fetchPublic: createPublicFetch() };
  const { text } = createOpenAiWireProvider(settings, vendor, ways);
  const messages = [{ role: "user" as const, content: "hi" }];
  const request: ChatRequest = { messages, maxOutputTokens, inOnePiece: true };
  const events = (await text?.answer?.("m", request, { requestId: "r", signal: never() })) ?? [];
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

test("a long single reply is requested as a stream from a server that requires it", async () => {
  for (const most of [4_096, 4_097, 8_192]) expect(await answered(fireworks, most)).toBe(ANSWER_TEXT);
});

test("for others, the same call is one piece", async () => {
  await expect(answered(together, 4_097)).rejects.toMatchObject({ kind: "rejected" });
});
