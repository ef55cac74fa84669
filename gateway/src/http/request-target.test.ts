import { describe, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { CHAT_BODY, CHAT_PATH, createEdge, USAGE_PATH } from "./testing.ts";

describe("a caller's own X-Client-Request-Id", () => {
  const lines: unknown[] = [];
  const info = (_: string, fields: Record<string, unknown> = {}) =>
    void lines.push(fields["client_request_id"]);
  const edge = createEdge({ deps: { log: { ...silentLog, info } } });

  test("is echoed and logged, whatever the reply", async () => {
    lines.length = 0;
    const headers = { "x-client-request-id": `~${"x".repeat(126)}!` };
    const body = JSON.stringify(CHAT_BODY);
    for (const [path, more] of [
      [CHAT_PATH, { body, headers }],
      [CHAT_PATH, { body: "{", headers: { ...headers, origin: "https://app.example" } }],
      [CHAT_PATH, { method: "PUT", headers }],
      ["/v1/models", { headers, key: null }],
      ["/nope", { headers }],
      ["/healthz", { headers }],
    ] as const) {
      const response = await edge.send(path, more);
      expect([path, response.headers.get("x-client-request-id")]).toEqual([
        path,
        headers["x-client-request-id"],
      ]);
    }
    expect(lines).toEqual(Array(6).fill(headers["x-client-request-id"]));
  });

  test.each(["", "two words", "x".repeat(129), "é"])("%p is ignored", async (id) => {
    lines.length = 0;
    const response = await edge.send(USAGE_PATH, { headers: { "x-client-request-id": id } });
    expect([response.status, response.headers.has("x-client-request-id"), lines]).toEqual([
      200,
      false,
      [undefined],
    ]);
  });
});
