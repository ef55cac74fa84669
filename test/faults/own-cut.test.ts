import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { FORMS } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 1_000;

/** An answer that may be this long is read as a stream, even for a client that wants it in one piece. */
const LONG_TOKENS = 10_000;
/** By model. Each piece of `flood` alone is longer than the answer may be. */
const PIECES: Readonly<Record<string, string>> = {
  endless: "more ",
  slow: "more ",
  flood: "flood ".repeat(2 * LONG_TOKENS),
  laden: "All of it.",
};
/** More keys than we read in one event. */
const MANY_KEYS = Array.from({ length: 300_000 }, () => ({ a: 1 }));

/** Speaks the responses wire, one piece at a time and without end. */
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const { model } = (await request.json()) as { model: string };
    const body = model === "laden" ? laden() : endless(PIECES[model] ?? "");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  },
});

const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };

/** Sends all of its text, and then an event that repeats it with more keys than we read. */
function laden(): string {
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
  const text = PIECES["laden"];
  return [
    event("response.created", { response: { id: "r", status: "in_progress", output: [] } }),
    event("response.output_item.added", { output_index: 0, item }),
    event("response.output_text.delta", { ...place, delta: text }),
    event("response.output_text.done", { ...place, text, annotations: MANY_KEYS }),
    event("response.completed", { response: { id: "r", status: "completed", output: [] } }),
  ].join("");
}

function endless(delta: string): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(
        event("response.created", { response: { id: "r", status: "in_progress", output: [] } }),
      );
      controller.enqueue(event("response.output_item.added", { output_index: 0, item }));
    },
    async pull(controller) {
      await Bun.sleep(10);
      controller.enqueue(event("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta }));
    },
  });
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  const base_url = `http://127.0.0.1:${upstream.port}/v1`;
  const model = (id: string, max_output_tokens: number) => ({
    ...{ id, name: id, type: "text", targets: [{ provider: "acme", model: id }], credits_per_request: 7 },
    limits: { context_tokens: LONG_TOKENS, max_output_tokens },
  });
  settings = writeSettings({
    timeouts: { call_ms: 600 },
    providers: { acme: { kind: "openai-wire", base_url, responses: true } },
    models: [model("endless", 1_000), ...["slow", "flood", "laden"].map((id) => model(id, LONG_TOKENS))],
  });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

for (const [form, see] of FORMS) {
  describe(`${form} that reaches its deadline`, () => {
    test("after some text ends with finish_reason length, charged for what was delivered", async () => {
      const own = await gateway.found({ credits: CREDITS });
      const content = "[sandbox:delay=30s] [sandbox:tokens=4000] Tell me a long story.";
      const seen = await see({ origin: gateway.origin, of: own, content });
      expect([seen.status, seen.ended, seen.body["finish_reason"]]).toEqual([200, "done", "length"]);
      expect(seen.text.length).toBeGreaterThan(0);
      expect(seen.body["credits_charged"]).toBe(1);
      const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
      const row = await expectEnding(gateway.database.db, call, { status: "succeeded", charged: 1 });
      expect(row.reason).toBe("cut_by_limit");
      expect(row.output_tokens).toBeGreaterThan(0);
      expect(row.output_tokens).toBeLessThan(1_000);
    });

    test("before the first byte ends in an error and costs nothing", async () => {
      const own = await gateway.found({ credits: CREDITS });
      const seen = await see({ origin: gateway.origin, of: own, content: "[sandbox:first-byte=30s] hello" });
      expect([seen.status, seen.ended]).toEqual([form === "JSON" ? 504 : 200, "error"]);
      const call = { orgId: own.id, requestId: seen.requestId, creditsBefore: CREDITS };
      await expectEnding(gateway.database.db, call, {
        status: "failed",
        charged: 0,
        errorCode: "internal_error",
      });
    });
  });
}

describe("a passed-through response stream that exceeds our limits", () => {
  test.each([
    ["in time, with an Idempotency-Key", "endless", { "idempotency-key": "k" }],
    ["in time, without one", "endless", {}],
    ["in size, after all of its text", "laden", {}],
  ])("%s ends as incomplete and is charged", async (_, model, headers) => {
    const own = await gateway.found({ credits: CREDITS });
    const ask = () =>
      fetch(`${gateway.origin}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify({ model, input: "hello", stream: true }),
      });
    const response = await ask();
    const text = await response.text();
    expect(text).toContain(`"delta":"${PIECES[model]}"`);
    expect(text).toContain("event: response.incomplete");
    const requestId = response.headers.get("x-request-id") ?? "";
    const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
    await expectEnding(gateway.database.db, call, { status: "succeeded", charged: 7 });
    // An answer that was cut cannot be repeated identically.
    if ("idempotency-key" in headers) expect((await ask()).status).toBe(409);
  });
});

// Half of a reply is none, so it costs nothing.
describe("a passed-through whole response costs nothing", () => {
  test.each([
    ["reaches its deadline", "slow", 504, "The model timed out: it took too long. Nothing was charged."],
    [
      "exceeds its output limit",
      "flood",
      502,
      "The model's provider failed (server error). Nothing was charged.",
    ],
    [
      "has more keys than we read",
      "laden",
      502,
      "The model's provider failed (server error). Nothing was charged.",
    ],
  ])("if it %s, and the error says so", async (_, model, status, message) => {
    const own = await gateway.found({ credits: CREDITS });
    const response = await fetch(`${gateway.origin}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input: "hello" }),
    });
    expect([response.status, await response.json()]).toMatchObject([status, { error: { message } }]);
    const requestId = response.headers.get("x-request-id") ?? "";
    const call = { orgId: own.id, requestId, creditsBefore: CREDITS };
    const failed = { status: "failed", charged: 0, errorCode: "internal_error" } as const;
    await expectEnding(gateway.database.db, call, failed);
  });
});
