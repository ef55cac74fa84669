import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { frame } from "../../../test/upstream/chat-wire.ts";
import { chunked, headText, type RawServer, startRawServer } from "../../../test/upstream/raw-http.ts";
import type { ChatEvent, ChatRequest, Provider } from "../contract/index.ts";
import { createPublicFetch, type OutboundFetch } from "../outbound/index.ts";
import { never, PATIENT, testFetch } from "../outbound/testing.ts";
import { createAnthropicProvider, createCohereProvider, createGoogleProvider } from "./ai-sdk/index.ts";
import { createOpenAiWireProvider } from "./openai-wire/index.ts";
import type { ProviderSettings } from "./settings.ts";
import { WIRE_VENDORS } from "./wire-vendors-testing.ts";

type Json = Readonly<Record<string, unknown>>;
type Create = (settings: ProviderSettings, outbound: OutboundFetch) => Provider;

const HASTY = { ...PATIENT, idleMs: 50 };
/** Longer than the wait after an end that something may follow. */
const LATE_MS = 2_500;
const PING_MS = 5;
const PIECE_MS = 10;
/** Longer than one pause, shorter than all of them together. */
const AFTER_END_MS = 120;
const MANY = 16;
const HEAD = headText(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });

/** What a server sends before it falls silent on an open connection, or only pings. */
let script: readonly Json[] = [];
/** True if there is a pause before each piece. */
let isSlow = false;
let left = Promise.withResolvers<void>();
let upstream: RawServer;
beforeAll(async () => {
  upstream = await startRawServer(async ({ request, push }) => {
    void request.closed.then(left.resolve);
    const frames = script.map((event) => chunked(frame(event)));
    const [first, ...later] = isSlow ? frames : [Buffer.concat(frames)];
    let isOpen = await push(Buffer.concat([Buffer.from(HEAD), first ?? Buffer.alloc(0)]));
    for (const piece of later) {
      await Bun.sleep(PIECE_MS);
      await push(piece);
    }
    while (isOpen) {
      await Bun.sleep(PING_MS);
      isOpen = await push(chunked(": ping\n\n"));
    }
  });
});
afterAll(() => upstream.close());

const google: Create = (settings, outbound) => createGoogleProvider(settings, { outbound });
const cohere: Create = (settings, outbound) => createCohereProvider(settings, { outbound });
const anthropic: Create = (settings, outbound) => createAnthropicProvider(settings, { outbound });
const chat: Create = (settings, outbound) =>
  createOpenAiWireProvider(settings, WIRE_VENDORS["openai-wire"], {
    outbound,
    fetchPublic: createPublicFetch(),
  });
const responses: Create = (settings, outbound) =>
  createOpenAiWireProvider({ ...settings, responses: true }, WIRE_VENDORS.openai, {
    outbound,
    fetchPublic: createPublicFetch(),
  });

const REQUEST: ChatRequest = { messages: [{ role: "user", content: "hi" }], maxOutputTokens: 100 };
const RESPONSE: ChatRequest = {
  ...REQUEST,
  wire: { kind: "responses", body: { model: "m", input: "hi" } },
};

async function ask(create: Create, outbound: OutboundFetch, request = REQUEST): Promise<ChatEvent[]> {
  left = Promise.withResolvers();
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  const { text } = create({ name: "acme", kind: null, baseUrl, apiKey: "k" }, outbound);
  const events: ChatEvent[] = [];
  for await (const batch of text?.chat("m", request, { requestId: "r", signal: never() }) ?? [])
    events.push(...batch);
  return events;
}

function wordsOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

const part = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0, ...more }],
});
const COUNTS = { usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 9 } };

describe("a server that stays open after the end of its answer", () => {
  test.each([
    ["with its last text", [part("Hel"), { ...part("lo", { finishReason: "STOP" }), ...COUNTS }]],
    ["before its counts", [part("Hello"), part("", { finishReason: "STOP" }), COUNTS]],
    ["before its last text", [part("Hel", { finishReason: "STOP" }), { ...part("lo"), ...COUNTS }]],
  ])("is disconnected, and its usage counts: Gemini with its finishReason %s", async (_, said) => {
    script = said;
    const events = await ask(google, testFetch({ timeouts: HASTY }));
    expect(wordsOf(events)).toBe("Hello");
    expect(events.at(-1)).toMatchObject({
      type: "finish",
      reason: "stop",
      usage: { inputTokens: 21, outputTokens: 9 },
    });
    await left.promise;
  });

  const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] }];
  const response = { status: "completed", output, usage: { input_tokens: 21, output_tokens: 9 } };
  const start = { id: "m", model: "c", content: [], usage: { input_tokens: 21, output_tokens: 1 } };
  const content = (value: Json) => ({ message: { content: value } });
  const billed = {
    billed_units: { input_tokens: 21, output_tokens: 9 },
    tokens: { input_tokens: 90, output_tokens: 9 },
  };

  test.each<readonly [string, Create, ChatRequest, readonly Json[]]>([
    ["response.completed", responses, RESPONSE, [{ type: "response.completed", response }]],
    [
      "message_stop",
      anthropic,
      REQUEST,
      [
        { type: "message_start", message: start },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
        { type: "message_stop" },
      ],
    ],
    [
      "message-end",
      cohere,
      REQUEST,
      [
        { type: "message-start", id: "a" },
        { type: "content-start", index: 0, delta: content({ type: "text", text: "" }) },
        { type: "content-delta", index: 0, delta: content({ text: "Good day" }) },
        { type: "content-end", index: 0 },
        { type: "message-end", delta: { finish_reason: "COMPLETE", usage: billed } },
      ],
    ],
  ])("is disconnected without waiting for more after a final event: %s", async (_, create, request, said) => {
    script = said;
    const startedMs = performance.now();
    expect((await ask(create, testFetch(), request)).at(-1)).toMatchObject({
      type: "finish",
      reason: "stop",
      usage: { inputTokens: 21, outputTokens: 9 },
    });
    expect(performance.now() - startedMs).toBeLessThan(LATE_MS);
    await left.promise;
  });

  const choice = (content: string, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: { content }, finish_reason }],
  });
  test.each<readonly [string, Create, (text: string, isEnd: boolean) => Json]>([
    ["chat completions", chat, (text, isEnd) => choice(text, isEnd ? "stop" : null)],
    ["Gemini", google, (text, isEnd) => part(text, isEnd ? { finishReason: "STOP" } : {})],
  ])("is read for as long as it sends text, even after it reported the end: %s", async (_, create, say) => {
    script = [say("a", true), ...Array.from({ length: MANY }, () => say("b", false))];
    isSlow = true;
    const events = await ask(create, testFetch({ timeouts: { ...PATIENT, idleMs: AFTER_END_MS } }));
    isSlow = false;
    expect(wordsOf(events)).toBe(`a${"b".repeat(MANY)}`);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
    await left.promise;
  });
});
