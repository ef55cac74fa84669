import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ANSWER_TEXT } from "../../../../test/upstream/chat-wire.ts";
import {
  type MisbehavingUpstream,
  refusedBaseUrl,
  startMisbehavingUpstream,
} from "../../../../test/upstream/misbehaving-upstream.ts";
import { type ChatEvent, type ChatRequest, ProviderFailure, type WireRequest } from "../../contract/index.ts";
import { createPublicFetch, type OutboundFetch, type OutboundOptions } from "../../outbound/index.ts";
import { failureFrom, never, PATIENT, testFetch } from "../../outbound/testing.ts";
import type { ProviderSettings } from "../settings.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "./provider.ts";

const KEY = "sk-canary-0123456789";
/** What the upstream writes for `chunks:9`. */
const NINE_WORDS = "word0 word1 word2 word3 word4 word5 word6 word7 word8 ";
const REQUEST: ChatRequest = { messages: [{ role: "user", content: "hi" }], maxOutputTokens: 100 };

let upstream: MisbehavingUpstream;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
});
afterAll(() => upstream.close());

function textOf(settings: Partial<ProviderSettings> = {}, options: Partial<OutboundOptions> = {}) {
  return textThrough(testFetch({ maxBodyBytes: 64 << 10, ...options }), settings);
}

function textThrough(outbound: OutboundFetch, settings: Partial<ProviderSettings> = {}) {
  const whole = { name: "acme", kind: null, baseUrl: upstream.baseUrl, apiKey: KEY, ...settings };
  const { text } = createOpenAiWireProvider(whole, WIRE_VENDORS["openai-wire"], {
    outbound,
    fetchPublic: createPublicFetch(),
  });
  if (text === undefined) throw new Error("it serves text");
  return text;
}

async function ask(model: string, signal = never(), text = textOf()): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const batch of text.chat(model, REQUEST, { requestId: "r", signal })) {
    expect(batch.length).toBeGreaterThan(0);
    events.push(...batch);
  }
  return events;
}

test("the provider declares that it sends parts as the client wrote them", () => {
  expect(textOf().sendsAsWritten).toBe(true);
});

test("OpenRouter gets our cache marks for Claude and for no other model", async () => {
  const bodies: string[] = [];
  const outbound: OutboundFetch = async (_url, { body }) => {
    bodies.push(String(body));
    return Response.json({ error: { message: "no" } }, { status: 400 });
  };
  const whole = { name: "router", kind: null, baseUrl: upstream.baseUrl, apiKey: KEY };
  const ways = { outbound, fetchPublic: createPublicFetch() };
  const { text } = createOpenAiWireProvider(whole, WIRE_VENDORS.openrouter, ways);
  const request = { ...REQUEST, cacheMarks: ["end"] as const };
  for (const model of ["anthropic/claude-sonnet-5", "openai/gpt-5.6"]) {
    const batches = text?.chat(model, request, { requestId: "r", signal: never() });
    await expect(batches?.[Symbol.asyncIterator]().next()).rejects.toThrow();
  }
  expect(bodies.map((body) => body.match(/"cache_control":\{"type":"ephemeral"\}/g)?.length ?? 0)).toEqual([
    1, 0,
  ]);
  expect(text?.cachesBy?.("anthropic/claude-sonnet-5")).toBe("marks");
  expect(text?.cachesBy?.("openai/gpt-5.6")).toBeNull();
});

test("the provider declares that files in tool results become text, except in a passed-through response", () => {
  const response = { kind: "responses", body: {} } as unknown as WireRequest;
  const completion = { kind: "chat_completions", body: {} } as unknown as WireRequest;
  const writesOut = (responses: boolean, wire?: WireRequest) =>
    textOf({ responses }).writesOutResults?.(wire);
  expect([writesOut(true, response), writesOut(true, completion), writesOut(true)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(writesOut(false, response)).toBe(true);
});

describe("an answer", () => {
  test.each([
    "ok",
    "json-anyway",
    "chunks:9",
    "split",
    "cr-only",
    "crlf",
    "bom",
    "no-done",
    "no-blank-line",
    "done-twice",
    "after-done",
    "usage-twice",
    "gzip",
  ])("is complete although the upstream does this: %s", async (model) => {
    const events = await ask(model);
    const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    expect(text).toBe(model === "chunks:9" ? NINE_WORDS : ANSWER_TEXT);
    expect(events.filter(({ type }) => type === "finish")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop", usage: { outputTokens: 9 } });
  });

  test.each(["stays-open", "stays-open:5"])(
    "that has ended is not waited for, and its connection is closed: %s",
    async (model) => {
      const hasty = textOf({}, { timeouts: { ...PATIENT, idleMs: 50 } });
      const reported = { type: "finish", reason: "stop", usage: { outputTokens: 9 } };
      expect((await ask(model, never(), hasty)).at(-1)).toMatchObject(reported);
      await upstream.closed();
      const whole = await hasty.answer?.(model, REQUEST, { requestId: "r", signal: never() });
      expect(whole?.at(-1)).toMatchObject(reported);
      await upstream.closed();
    },
  );

  test("is waited for until every choice has ended", async () => {
    const hasty = textOf({}, { timeouts: { ...PATIENT, idleMs: 50 } });
    const two = { ...REQUEST, n: 2 };
    const chat = hasty.chat("stays-open", two, { requestId: "r", signal: never() });
    expect((await failureFrom(Array.fromAsync(chat))).kind).toBe("timeout");
  });

  test("is delivered in several batches", async () => {
    const stream = textOf().chat("chunks:3:30", REQUEST, { requestId: "r", signal: never() });
    let batches = 0;
    for await (const _ of stream) batches++;
    expect(batches).toBeGreaterThan(1);
  });

  test("that is an HTML page fails with the upstream's address in the internal detail, streamed or whole", async () => {
    const text = textOf();
    const context = { requestId: "r", signal: never() };
    for (const failing of [ask("html"), text.answer?.("html", REQUEST, context) ?? Promise.resolve()]) {
      expect((await failureFrom(failing)).detail.internal).toBe(
        `${new URL(upstream.baseUrl).host}/v1/chat/completions: neither JSON nor a stream`,
      );
    }
  });

  test("leaves its connection open for the next call", async () => {
    await ask("ok");
    const before = upstream.connections;
    for (let at = 0; at < 5; at++) await ask("ok");
    expect(upstream.connections - before).toBeLessThanOrEqual(1);
  });
});

describe("a failure", () => {
  test.each([
    ["401", "unauthorized"],
    ["status:403", "unauthorized"],
    ["status:404", "unauthorized"],
    ["status:400", "rejected"],
    ["status:413", "rejected"],
    ["status:422", "rejected"],
    ["overflow", "context_overflow"],
    ["leak:400", "rejected"],
    ["429", "rate_limited"],
    ["status:500", "unavailable"],
    ["status:503", "unavailable"],
    ["status:529", "unavailable"],
    ["redirect", "unavailable"],
    ["close", "unavailable"],
    ["reset", "unavailable"],
    ["garbage", "unavailable"],
    ["html", "unavailable"],
    ["empty-body", "unavailable"],
    ["not-json", "unavailable"],
    ["too-deep", "unavailable"],
    ["wrong-shape", "unavailable"],
    ["empty", "unavailable"],
    ["comments", "unavailable"],
    ["done-only", "unavailable"],
    ["malformed", "unavailable"],
    ["no-finish", "unavailable"],
    ["long-line", "unavailable"],
    ["endless", "unavailable"],
    ["gzip-bomb", "unavailable"],
    ["reset-at:700", "unavailable"],
    ["close-at:700", "unavailable"],
  ])(
    "%s is %s",
    async (model, kind) => {
      const failure = await failureFrom(ask(model));
      expect(failure.kind).toBe(kind as never);
      expect(failure.publicMessage).not.toMatch(/canary|127\.0\.0\.1|upstream-host/);
      expect(failure.publicMessage.length).toBeWithin(1, 301);
    },
    20_000,
  );

  test.each(["silent", "headers-only"])("to answer in time is a timeout: %s", async (model) => {
    const hasty = textOf({}, { timeouts: { connectMs: 2_000, firstByteMs: 50, idleMs: 50 } });
    expect((await failureFrom(ask(model, never(), hasty))).kind).toBe("timeout");
  });

  test.each(["error-object", "first-error", "late-error"])(
    "is an error inside a 200, too: %s",
    async (model) => {
      expect(await failureFrom(ask(model))).toBeInstanceOf(ProviderFailure);
    },
  );

  test("to connect is unavailable, after one retry", async () => {
    const baseUrl = await refusedBaseUrl();
    const send = testFetch();
    let attempts = 0;
    const counting: OutboundFetch = (url, init) => {
      attempts += 1;
      return send(url, init);
    };
    const text = textThrough(counting, { baseUrl });
    const chat = text.chat("m", REQUEST, { requestId: "r", signal: never() });
    expect((await failureFrom(Array.fromAsync(chat))).kind).toBe("unavailable");
    expect(attempts).toBe(2);
  });

  test("in the middle of the answer is never taken for its end", async () => {
    for (let at = 200; at < 1_400; at += 97) {
      const events = await ask(`reset-at:${at}`).catch((error) => error);
      expect(events).toBeInstanceOf(ProviderFailure);
    }
  });
});

describe("a caller who aborts", () => {
  test("gets the abort reason unchanged", async () => {
    const controller = new AbortController();
    const reason = new Error("gone");
    const chat = textOf().chat("chunks:1000:5", REQUEST, { requestId: "r", signal: controller.signal });
    const reading = (async () => {
      for await (const _ of chat) controller.abort(reason);
    })();
    expect(await reading.catch((error) => error)).toBe(reason);
  });

  test("before the call causes no request", async () => {
    const before = upstream.received.length;
    const reason = new Error("gone");
    expect(await ask("ok", AbortSignal.abort(reason)).catch((error) => error)).toBe(reason);
    expect(upstream.received.length).toBe(before);
  });

  test("has the answer stopped, or drained if the operator configures that (onDisconnect)", () => {
    expect(textOf().onDisconnect).toBe("stop");
    expect(textOf({ onDisconnect: "drain" }).onDisconnect).toBe("drain");
  });
});

test("the operator's settings override the vendor's defaults", async () => {
  const text = textOf({
    streamUsage: false,
    maxTokensField: "max_completion_tokens",
    headers: { "x-team": "blue" },
  });
  await Array.fromAsync(text.chat("plain", REQUEST, { requestId: "r", signal: never() }));
  const call = upstream.received.findLast(({ model }) => model === "plain");
  expect(call?.body).toMatchObject({ max_completion_tokens: 100 });
  expect(call?.body).not.toHaveProperty("stream_options");
  expect(call?.headers).toMatchObject({ "x-team": "blue", authorization: `Bearer ${KEY}` });
});
