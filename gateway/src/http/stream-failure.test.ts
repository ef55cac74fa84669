import { describe, expect, test } from "bun:test";
import type { ChatStream, ChatStreamPart } from "../generation/index.ts";
import { AppError } from "../kit/index.ts";
import { createMetrics } from "../telemetry/index.ts";
import { CHAT_BODY, CHAT_PATH, createEdge, RATE } from "./testing.ts";

const TEXT: ChatStreamPart = { type: "events", events: [{ type: "text", text: "Hi" }] };
const OURS = new AppError("internal_error", "Failed.", { cause: new Error("a bug of ours") });
const PROVIDERS = new AppError("internal_error", "Failed.", { status: 502, target: "acme/chat-1" });

const RESPONSES_BODY = { model: "acme-chat", input: "Hello" };
const WIRES: [string, object][] = [
  [CHAT_PATH, CHAT_BODY],
  ["/v1/chat/completions", CHAT_BODY],
  ["/v1/responses", RESPONSES_BODY],
];

/** An edge whose streams yield these parts, and what its operator sees of them. */
function edgeOf(parts: (ChatStreamPart | Promise<ChatStreamPart>)[]) {
  const metrics = createMetrics();
  const edge = createEdge({
    deps: { metrics },
    generation: {
      chatStream: async ({ requestId, model }): Promise<ChatStream> => ({
        requestId,
        model: model.id,
        rate: RATE,
        replayed: false,
        next: async () => (await parts.shift()) ?? null,
        leave: async () => {},
      }),
    },
  });
  return {
    send: (path: string, body: object) =>
      edge.send(path, { body: JSON.stringify({ ...body, stream: true }) }),
    logged: edge.logged,
    refused: () => metrics.render().match(/^bursar_http_refusals_total\{.*$/gm) ?? [],
  };
}

describe.each(WIRES)("a stream of %s that fails", (path, body) => {
  test.each([OURS, PROVIDERS])(
    "because of the gateway or the provider is logged with its error and counted: %#",
    async (error) => {
      const { send, logged, refused } = edgeOf([TEXT, { type: "error", error }]);
      const response = await send(path, body);
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Failed.")]);
      expect(logged).toEqual([
        {
          event: "request_failed",
          fields: {
            request_id: response.headers.get("x-request-id"),
            model: "acme-chat",
            target: error.options.target,
            error,
          },
        },
      ]);
      expect(refused()).toEqual(['bursar_http_refusals_total{code="internal_error"} 1']);
    },
  );

  test("because of the caller's request is counted but not logged", async () => {
    const error = new AppError("validation_error", "Too long.");
    const { send, logged, refused } = edgeOf([TEXT, { type: "error", error }]);
    await (await send(path, body)).text();
    expect([logged, refused()]).toEqual([[], ['bursar_http_refusals_total{code="validation_error"} 1']]);
  });

  test("after its client has left is neither logged nor counted", async () => {
    const late = Promise.withResolvers<ChatStreamPart>();
    const parts = [TEXT, late.promise];
    const { send, logged, refused } = edgeOf(parts);
    const reader = ((await send(path, body)).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    while (parts.length > 0) await Bun.sleep(1);
    await reader.cancel();
    late.resolve({ type: "error", error: OURS });
    await Bun.sleep(5);
    expect([logged, refused()]).toEqual([[], []]);
  });
});
