import { expect, test } from "bun:test";
import { createMetrics, silentLog } from "../../telemetry/index.ts";
import { createRefusals } from "../refusal.ts";
import { createOverloadReply } from "./overload-reply.ts";

const PUBLIC_URL = "https://ai.example.com";

/** Everything that a client sees, with the id apart. */
async function seen(reply: Response) {
  const requestId = reply.headers.get("x-request-id") ?? "";
  const headers = Object.fromEntries(reply.headers);
  return {
    requestId,
    status: reply.status,
    headers: { ...headers, "x-request-id": "" },
    text: await reply.text(),
  };
}

test.each(["native", "openai"] as const)(
  "the %s response to overload is the same every time except for its request id, and is counted",
  async (wire) => {
    const metrics = createMetrics();
    const refusals = createRefusals({ publicUrl: PUBLIC_URL, log: silentLog });
    const replyTo = createOverloadReply(refusals, metrics);
    const first = await seen(replyTo(wire));
    await Bun.sleep(1);
    const later = [await seen(replyTo(wire)), await seen(replyTo(wire))];
    expect(first).toMatchObject({
      status: 503,
      headers: { "retry-after": "1", "cache-control": "no-store" },
    });
    for (const reply of later) {
      expect(reply.requestId).not.toBe(first.requestId);
      expect(reply.headers).toEqual(first.headers);
      expect(reply.text).toBe(first.text.replace(first.requestId, reply.requestId));
      expect(JSON.parse(reply.text)).toMatchObject({
        error: { message: expect.stringContaining("overloaded") },
      });
    }
    expect(new Set([first, ...later].map(({ requestId }) => requestId)).size).toBe(3);
    expect(metrics.render()).toContain("bursar_overload_refusals_total 3");
  },
);
