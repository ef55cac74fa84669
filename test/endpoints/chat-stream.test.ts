import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Event = { event: string; data: Record<string, unknown> };

function open(
  of: TestOrganization,
  content: string,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  return fetch(`${gateway.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${of.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "sandbox-chat", stream: true, messages: [{ role: "user", content }] }),
    signal: signal ?? null,
  });
}

function parse(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [event = "", data = ""] = block.split("\n");
      return { event: event.slice("event: ".length), data: JSON.parse(data.slice("data: ".length)) };
    });
}

async function balance(of: TestOrganization): Promise<{ total: number; held: number }> {
  const account = await gateway.services.ledger.account(of.id);
  return { total: account.anytimeAvailable, held: account.anytimeHeld };
}

async function lastRequest(of: TestOrganization): Promise<Record<string, unknown>> {
  const view = await gateway.services.usage.usageView(
    { id: of.id, plan: "enterprise" },
    { days: 2, limit: 1 },
  );
  return { ...view.requests[0] };
}

describe("a stream", () => {
  test("sends connection_established, content and done; the balance falls by what done reports", async () => {
    const own = await gateway.found({ credits: 10 });
    const response = await open(own, "What is 6 times 7?");
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = parse(await response.text());
    expect(events.map(({ event }) => event).filter((name, i, all) => name !== all[i - 1])).toEqual([
      "connection_established",
      "content",
      "done",
    ]);
    const requestId = response.headers.get("x-request-id");
    expect(events[0]?.data).toEqual({ request_id: requestId, model: "sandbox-chat" });
    const text = events.map(({ data }) => data["content"] ?? "").join("");
    expect(text).toContain("42");
    expect(events.at(-1)?.data).toMatchObject({
      request_id: requestId,
      model: "sandbox-chat",
      finish_reason: "stop",
      credits_charged: 1,
      balance: { subscription: 0, anytime: 9 },
      efficiency: { tokens_saved: 0 },
    });
    expect(await balance(own)).toEqual({ total: 9, held: 0 });
  });

  test("carries a model's refusal as content, and so does its repeat", async () => {
    const own = await gateway.found();
    const headers = { "idempotency-key": "declined" };
    const said = async () => {
      const events = parse(await (await open(own, "[sandbox:refusal] hello", headers)).text());
      return events.map(({ data }) => data["content"] ?? "").join("");
    };
    const first = await said();
    expect(first).toContain("declines to answer");
    expect(await said()).toBe(first);
  });

  test("delivers text before the answer is finished", async () => {
    const own = await gateway.found();
    const response = await open(own, "[sandbox:delay=2s] Tell me a long story about a harbour.");
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let seen = "";
    while (!seen.includes("event: content")) seen += new TextDecoder().decode((await reader.read()).value);
    expect(gateway.services.running.count).toBeGreaterThan(0);
    await reader.cancel();
    await gateway.services.running.idle();
  });

  test("becomes an error event and costs nothing if the provider fails before its first byte", async () => {
    const own = await gateway.found({ credits: 10 });
    const response = await open(own, "[sandbox:error=500]");
    const events = parse(await response.text());
    expect(response.status).toBe(200);
    expect(events.map(({ event }) => event)).toEqual(["connection_established", "error"]);
    expect(events[1]?.data).toEqual({
      error: {
        code: "internal_error",
        message: "The model's provider failed (server error). Nothing was charged.",
        request_id: response.headers.get("x-request-id"),
      },
    });
    expect(await balance(own)).toEqual({ total: 10, held: 0 });
  });

  test("delivers what was sent, then an error event, and costs nothing if the provider dies midway", async () => {
    const own = await gateway.found({ credits: 10 });
    const events = parse(await (await open(own, "[sandbox:cut=after:20]")).text());
    expect(events.filter(({ event }) => event === "content").length).toBeGreaterThan(10);
    expect(events.at(-1)?.event).toBe("error");
    expect(await balance(own)).toEqual({ total: 10, held: 0 });
    expect(await lastRequest(own)).toMatchObject({
      status: "failed",
      credits_charged: 0,
      error_code: "internal_error",
    });
  });

  test("is refused with a plain HTTP 402 if there are no credits", async () => {
    const poor = await gateway.found({ credits: 0 });
    const response = await open(poor, "hello");
    expect([response.status, response.headers.get("content-type")]).toEqual([402, "application/json"]);
  });

  test("has the same text and the same end when repeated with its Idempotency-Key, for free", async () => {
    const own = await gateway.found({ credits: 10 });
    const headers = { "idempotency-key": "s-1" };
    const first = await open(own, "Say hello to the harbour", headers);
    const firstEvents = parse(await first.text());
    const repeat = await open(own, "Say hello to the harbour", headers);
    const repeatEvents = parse(await repeat.text());
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    const text = (events: Event[]) => events.map(({ data }) => data["content"] ?? "").join("");
    expect(text(repeatEvents)).toBe(text(firstEvents));
    expect(repeatEvents.at(-1)).toEqual(firstEvents.at(-1) as Event);
    expect(repeatEvents[0]?.data["request_id"]).toBe(first.headers.get("x-request-id"));
    expect(await balance(own)).toEqual({ total: 9, held: 0 });
  });
});

describe("a client that disconnects", () => {
  async function leaveAfter(
    own: TestOrganization,
    content: string,
    mark: string,
    headers = {},
  ): Promise<void> {
    const controller = new AbortController();
    const response = await open(own, content, headers, controller.signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let seen = "";
    while (!seen.includes(mark)) seen += new TextDecoder().decode((await reader.read()).value);
    controller.abort();
    await gateway.services.running.idle();
  }

  test("mid-stream pays for what was delivered, and the provider is stopped", async () => {
    const own = await gateway.found({ credits: 10 });
    await leaveAfter(own, "[sandbox:delay=60s] Tell me a long story.", "event: content");
    expect(await balance(own)).toEqual({ total: 9, held: 0 });
    const request = await lastRequest(own);
    expect(request).toMatchObject({ status: "cancelled", credits_charged: 1 });
    expect(Number(request["output_tokens"])).toBeLessThan(20);
  });

  test("before the first text pays for the input", async () => {
    const own = await gateway.found({ credits: 10 });
    await leaveAfter(own, "[sandbox:first-byte=60s] hello", "connection_established");
    expect(await lastRequest(own)).toMatchObject({
      status: "cancelled",
      credits_charged: 1,
      output_tokens: 0,
    });
    expect(await balance(own)).toEqual({ total: 9, held: 0 });
  });

  test("with an Idempotency-Key pays for the whole answer, and a repeat gets it", async () => {
    const own = await gateway.found({ credits: 10 });
    const headers = { "idempotency-key": "s-2" };
    const content = "[sandbox:delay=200ms] Say hello to the harbour";
    await leaveAfter(own, content, "event: content", headers);
    const events = parse(await (await open(own, content, headers)).text());
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { finish_reason: "stop", credits_charged: 1 },
    });
    expect(await lastRequest(own)).toMatchObject({ status: "succeeded" });
    expect(await balance(own)).toEqual({ total: 9, held: 0 });
  });
});

test("a thousand disconnects at nine points leave no hold, correct books, and every call charged", async () => {
  const own = await gateway.found({ credits: 10_000 });
  async function hangUp(reads: number): Promise<void> {
    const controller = new AbortController();
    const response = await open(own, "[sandbox:delay=80ms] Tell me a story.", {}, controller.signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (let read = 0; read < reads; read++) await reader.read();
    controller.abort();
  }
  for (let wave = 0; wave < 5; wave++) {
    await Promise.all(Array.from({ length: 200 }, (_, i) => hangUp(i % 9)));
  }
  await gateway.services.running.idle();
  const organization = { id: own.id, plan: "enterprise" };
  const view = await gateway.services.usage.usageView(organization, { days: 2, limit: 200 });
  expect(view.summary).toMatchObject({ requests: 1000, failed_requests: 0, credits_charged: 1000 });
  expect(await balance(own)).toEqual({ total: 9_000, held: 0 });
  expect((await verifyLedger(gateway.services.db, { orgId: own.id })).faults).toEqual([]);
});
