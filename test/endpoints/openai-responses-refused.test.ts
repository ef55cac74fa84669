import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readResponseStream } from "../conformance/response-events.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Body = Record<string, unknown>;
type Sent = {
  readonly body?: Body;
  readonly method?: string;
  readonly path?: string;
  readonly signal?: AbortSignal;
};

function send(of: TestOrganization, { body, method = "POST", path = "", signal }: Sent): Promise<Response> {
  return fetch(`${gateway.origin}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer ${of.key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify({ model: "sandbox-chat", input: "hi", ...body }),
    signal: signal ?? null,
  });
}

const errorIn = async (response: Response) =>
  (await response.json()) as { error: Body; checkout_url?: string };

async function accountOf({ id }: TestOrganization): Promise<{ total: number; held: number }> {
  const { anytimeAvailable, anytimeHeld } = await gateway.services.ledger.account(id);
  return { total: anytimeAvailable, held: anytimeHeld };
}

async function lastRequest({ id }: TestOrganization): Promise<Body> {
  const view = await gateway.services.usage.usageView({ id, plan: "enterprise" }, { days: 2, limit: 1 });
  return { ...view.requests[0] };
}

describe("400", () => {
  test("previous_response_id is refused with the code previous_response_not_found", async () => {
    const own = await gateway.found();
    const response = await send(own, { body: { previous_response_id: "resp_1" } });
    expect(response.status).toBe(400);
    expect((await errorIn(response)).error).toEqual({
      message: expect.stringContaining("send the whole input"),
      type: "invalid_request_error",
      param: "previous_response_id",
      code: "previous_response_not_found",
    });
  });

  test.each([{ conversation: "conv_1" }, { background: true }, { prompt: { id: "p" } }])(
    "%j is refused with the advice to send the whole input",
    async (body) => {
      const response = await send(await gateway.found(), { body });
      expect(response.status).toBe(400);
      expect((await errorIn(response)).error["message"]).toContain("send the whole input");
    },
  );
});

describe("402", () => {
  test("has the checkout link, streamed or not", async () => {
    const poor = await gateway.found({ credits: 0 });
    for (const stream of [false, true]) {
      const response = await send(poor, { body: { stream } });
      expect([response.status, response.headers.get("content-type")]).toEqual([402, "application/json"]);
      const { error, checkout_url: link } = await errorIn(response);
      expect(error).toMatchObject({
        code: "insufficient_credits",
        type: "insufficient_quota",
        checkout_url: link,
      });
    }
  });
});

describe("404", () => {
  test.each([
    ["GET", "/resp_1"],
    ["DELETE", "/resp_1"],
    ["GET", "/resp_1/input_items"],
    ["POST", "/resp_1/cancel"],
  ])("%s %s: the error says that responses are not kept", async (method, path) => {
    const response = await send(await gateway.found(), { method, path });
    expect(response.status).toBe(404);
    expect((await errorIn(response)).error).toMatchObject({
      message: expect.stringContaining("Responses are not kept"),
      type: "invalid_request_error",
    });
  });

  test.each([
    ["/compact", "Compaction is not offered here: send everything that should be kept with each call."],
    ["/input_tokens", "Counting tokens is not offered here: each response reports them under usage."],
  ])("%s is not offered, and the error says what to do instead", async (path, refusal) => {
    const response = await send(await gateway.found(), { path, body: {} });
    expect([response.status, (await errorIn(response)).error["message"]]).toEqual([
      404,
      `${refusal} GET /docs lists all paths.`,
    ]);
  });
});

describe("a provider that fails", () => {
  test("before its first byte becomes an HTTP error, streamed or not, and costs nothing", async () => {
    const own = await gateway.found({ credits: 10 });
    for (const stream of [false, true]) {
      const response = await send(own, { body: { input: "[sandbox:error=500]", stream } });
      expect([response.status, response.headers.get("x-should-retry")]).toEqual([502, null]);
      expect((await errorIn(response)).error["type"]).toBe("server_error");
    }
    expect(await accountOf(own)).toEqual({ total: 10, held: 0 });
  });

  test("mid-stream delivers what it sent, then error and response.failed, and costs nothing", async () => {
    const own = await gateway.found({ credits: 10 });
    const response = await send(own, { body: { input: "[sandbox:cut=after:20]", stream: true } });
    const { events, response: last, faults } = readResponseStream(await response.text());
    expect([response.status, faults]).toEqual([200, []]);
    expect(events.filter(({ type }) => type === "response.output_text.delta").length).toBeGreaterThan(10);
    expect(events.at(-2)).toMatchObject({ type: "error", error: { type: "server_error" } });
    expect(last).toMatchObject({ status: "failed", error: { code: "server_error" } });
    expect(await accountOf(own)).toEqual({ total: 10, held: 0 });
    expect(await lastRequest(own)).toMatchObject({ status: "failed", credits_charged: 0 });
  });
});

describe("a client that disconnects", () => {
  test("mid-stream pays for what was delivered", async () => {
    const own = await gateway.found({ credits: 10 });
    const controller = new AbortController();
    const body = { input: "[sandbox:delay=60s] Tell me a long story.", stream: true };
    const response = await send(own, { body, signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let seen = "";
    while (!seen.includes("output_text.delta")) seen += new TextDecoder().decode((await reader.read()).value);
    controller.abort();
    await gateway.services.running.idle();
    expect(await accountOf(own)).toEqual({ total: 9, held: 0 });
    expect(await lastRequest(own)).toMatchObject({ status: "cancelled", credits_charged: 1 });
  });
});
