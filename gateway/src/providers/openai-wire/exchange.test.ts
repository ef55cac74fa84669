import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ANSWER_TEXT } from "../../../../test/upstream/chat-wire.ts";
import {
  type MisbehavingUpstream,
  startMisbehavingUpstream,
} from "../../../../test/upstream/misbehaving-upstream.ts";
import { type ChatEvent, type ChatRequest, ProviderFailure, type WireRequest } from "../../contract/index.ts";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom, never, testFetch } from "../../outbound/testing.ts";
import type { ProviderSettings } from "../settings.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createAddress } from "./address.ts";
import { exchangeOf } from "./exchange.ts";
import { createOpenAiWireProvider } from "./provider.ts";
import type { WireVendor } from "./vendor.ts";
import { writtenBody } from "./written-body.ts";

const { openai, azure, deepseek, openrouter, perplexity } = WIRE_VENDORS;
const MESSAGES = [{ role: "user" as const, content: "hi" }];

function asked(wire: Partial<WireRequest>, more: Partial<ChatRequest> = {}): ChatRequest {
  const body = { messages: MESSAGES, input: "hi", ...wire.body };
  const whole: WireRequest = { kind: "chat_completions", ...wire, body };
  return { messages: MESSAGES, maxOutputTokens: 100, wire: whole, ...more };
}

let upstream: MisbehavingUpstream;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
});
afterAll(() => upstream.close());

function textOf(baseUrl: string, settings: Partial<ProviderSettings> = {}, vendor: WireVendor = openai) {
  const whole = { name: "acme", kind: null, baseUrl, apiKey: "sk-canary-0123456789", ...settings };
  const outbound = testFetch({ maxBodyBytes: 64 << 10 });
  const { text } = createOpenAiWireProvider(whole, vendor, { outbound, fetchPublic: createPublicFetch() });
  if (text === undefined) throw new Error("it serves text");
  return text;
}

async function ask(model: string, request: ChatRequest): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  const context = { requestId: "r", signal: never() };
  for await (const batch of textOf(upstream.baseUrl).chat(model, request, context)) events.push(...batch);
  return events;
}

function toldBy(events: readonly ChatEvent[]): string {
  return events
    .map((event) => (event.type === "wire" ? JSON.parse(`{${event.members}}`).choices[0].delta.content : ""))
    .join("");
}

describe("a passed-through answer", () => {
  test.each(["ok", "json-anyway", "split", "crlf", "no-done", "done-twice", "usage-twice", "gzip"])(
    "is complete although the upstream does this: %s",
    async (model) => {
      const events = await ask(model, asked({}));
      expect(toldBy(events)).toBe(ANSWER_TEXT);
      expect(new Set(events.slice(0, -1).map(({ type }) => type))).toEqual(new Set(["wire"]));
      expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop", usage: { outputTokens: 9 } });
    },
  );

  test("in one piece is a single finish event with the whole reply", async () => {
    const events = await ask("ok", asked({}, { inOnePiece: true }));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: "finish",
      whole: { choices: [{ message: { content: ANSWER_TEXT } }] },
    });
  });

  test("from answer() has the same events as from chat(), and fails as rate_limited on a 429", async () => {
    const whole = asked({}, { inOnePiece: true });
    const context = { requestId: "r", signal: never() };
    expect(await textOf(upstream.baseUrl).answer?.("ok", whole, context)).toEqual(await ask("ok", whole));
    const failure = await failureFrom(
      Promise.resolve(textOf(upstream.baseUrl).answer?.("429", whole, context)),
    );
    expect(failure.kind).toBe("rate_limited");
  });

  test("that is streamed although one piece was requested is read to its end", async () => {
    const context = { requestId: "r", signal: never() };
    const events = await textOf(upstream.baseUrl).answer?.("ok", asked({}), context);
    expect(toldBy(events ?? [])).toBe(ANSWER_TEXT);
    expect(events?.at(-1)?.type).toBe("finish");
  });

  test.each([
    ["401", "unauthorized"],
    ["status:400", "rejected"],
    ["overflow", "context_overflow"],
    ["429", "rate_limited"],
    ["status:503", "unavailable"],
    ["html", "unavailable"],
    ["empty-body", "unavailable"],
    ["not-json", "unavailable"],
    ["wrong-shape", "unavailable"],
    ["done-only", "unavailable"],
    ["malformed", "unavailable"],
    ["no-finish", "unavailable"],
    ["long-line", "unavailable"],
    ["reset-at:700", "unavailable"],
  ])("from an upstream that does %s fails as %s", async (model, kind) => {
    expect((await failureFrom(ask(model, asked({})))).kind).toBe(kind as never);
  });

  test.each(["error-object", "first-error", "late-error"])(
    "with an error inside a 200 fails: %s",
    async (model) => {
      expect(await failureFrom(ask(model, asked({})))).toBeInstanceOf(ProviderFailure);
      const whole = asked({}, { inOnePiece: true });
      if (model === "error-object")
        expect(await failureFrom(ask(model, whole))).toBeInstanceOf(ProviderFailure);
    },
  );
});

describe("the exchange for a request", () => {
  const settings = { name: "acme", kind: null, baseUrl: "https://acme.example/v1", apiKey: null };
  const exchange = (request: ChatRequest, vendor: WireVendor, more: Partial<ProviderSettings> = {}) =>
    exchangeOf(
      request,
      { vendor, model: "m", namespace: "acme" },
      createAddress({ ...settings, ...more }, vendor),
    );
  const responses = asked({ kind: "responses", body: { metadata: { a: 1 } } });

  test("uses the Responses API if the vendor supports it, otherwise chat completions", () => {
    const spoken = exchange(responses, openai);
    expect(spoken.url).toBe("https://acme.example/v1/responses");
    expect(spoken.body).toMatchObject({ input: "hi", store: false });
    const translated = exchange(responses, deepseek);
    expect(translated.url).toBe("https://acme.example/v1/chat/completions");
    expect(translated.body).toMatchObject({ messages: MESSAGES });
    expect(translated.body).not.toHaveProperty("input");
  });

  test("uses chat completions with an Azure API version, which serves nothing else", () => {
    expect(exchange(responses, azure).url).toBe("https://acme.example/v1/responses");
    expect(exchange(responses, azure, { apiVersion: "2024-10-21" }).url).toContain("/chat/completions?");
  });

  test("has cache marks shortened to the priced duration", () => {
    const mark = { type: "ephemeral", ttl: "1h" };
    const messages = [{ role: "user", content: [{ type: "text", text: "hi", cache_control: mark }] }];
    const input = [{ role: "user", content: [{ type: "input_text", text: "hi", cache_control: mark }] }];
    const fields = { cache_control: mark, messages, input };
    for (const kind of ["chat_completions", "responses"] as const) {
      const written = String(writtenBody(exchange(asked({ kind, body: fields }), openrouter).body, {}));
      expect(written).not.toContain("ttl");
      expect(written).toContain('"cache_control":{"type":"ephemeral"}');
    }
  });

  describe("rejects options that no price covers", () => {
    const chat = (body: object, vendor: WireVendor) => exchange(asked({ body: { ...body } }), vendor);
    const response = (body: object, vendor: WireVendor) =>
      exchange(asked({ kind: "responses", body: { ...body } }), vendor);
    const tools = [{ type: "custom", custom: { name: "patch" } }];
    const ways: Readonly<Record<string, (body: object) => unknown>> = {
      "in a passed-through chat": (body) => chat(body, openrouter),
      "in a chat with a custom tool": (body) => chat({ tools, ...body }, deepseek),
      "in a passed-through Responses request": (body) => response(body, openrouter),
      "in a Responses request sent as a chat": (body) => response(body, deepseek),
    };
    describe.each(Object.entries(ways))("%s", (_, send) => {
      test.each<[string, object]>([
        ["audio output", { modalities: ["text", "audio"], audio: { voice: "x" } }],
        ["image output", { modalities: ["image", "text"] }],
        ["a hosted search", { web_search_options: {} }],
        ["a hosted search (search_parameters)", { search_parameters: { mode: "auto" } }],
        ["a hosted search (enable_search)", { enable_search: true }],
        ["a hosted search (enable_web_search)", { enable_web_search: true }],
        ["a hosted search (web_search)", { web_search: true }],
        ["a hosted search (web_search with options)", { web_search: { max_uses: 3 } }],
        ["MCP servers that the provider would call", { mcp_servers: [{ url: "https://a.example" }] }],
        ["data to search (data_sources)", { data_sources: [{ type: "azure_search" }] }],
        ["data to search (dataSources)", { dataSources: [{ type: "AzureCognitiveSearch" }] }],
        ["plugins", { plugins: [{ id: "web" }] }],
        ["a data policy (data_collection)", { provider: { data_collection: "deny" } }],
        ["a data policy (zdr)", { provider: { zdr: true } }],
        ["a reasoning mode that generates several answers", { reasoning: { mode: "pro", effort: "high" } }],
        ["an unknown reasoning mode", { reasoning: { mode: "tournament" } }],
      ])("%s", (_name, body) => {
        const [field = ""] = Object.keys(body);
        expect(() => send(body)).toThrow(`rejected: ${field}: `);
        expect(() => send(body)).toThrow(expect.objectContaining({ detail: { field } }));
      });

      test("but accepts those without which the answer is the same", () => {
        const none = { plugins: [], data_sources: [], search_parameters: { mode: "off" } };
        const same = { ...none, provider: { order: ["dear"] } };
        expect(() => send({ ...same, modalities: ["text"], service_tier: "priority" })).not.toThrow();
        for (const mode of ["standard", null, undefined]) {
          expect(() => send({ reasoning: { mode, effort: "high" } })).not.toThrow();
        }
      });
    });

    test("such as hosted tools in a chat, but accepts them in a Responses request", () => {
      const hosted = { type: "web_search" };
      expect(() => chat({ tools: [hosted] }, openrouter)).toThrow("rejected: tools: ");
      expect(() => chat({ tools: [hosted] }, openrouter)).toThrow(
        expect.objectContaining({ detail: { field: "tools" } }),
      );
      expect(() => chat({ tools: [...tools, hosted] }, deepseek)).toThrow("rejected: tools: ");
      expect(() => response({ tools: [hosted] }, openrouter)).not.toThrow();
      expect(() => response({ tools: [hosted] }, deepseek)).not.toThrow();
    });

    test("such as data_sources, except at Azure", () => {
      const data_sources = [{ type: "azure_search", parameters: { index_name: "x" } }];
      expect(() => chat({ data_sources }, openai)).toThrow("rejected: data_sources: ");
      for (const [field, given] of [
        ["data_sources", data_sources],
        ["Data_Sources", data_sources],
        ["data_\u017fources", data_sources],
        ["dataSources", { type: "azure_search" }],
      ] as const) {
        // The field is named, so that another target of the model is tried.
        expect(() => chat({ [field]: given }, openai)).toThrow(
          expect.objectContaining({ detail: { field } }),
        );
      }
      expect(chat({ data_sources }, azure).body).toMatchObject({ data_sources });
    });

    test("such as web_search_options, except for models that always search", () => {
      const body = { web_search_options: { search_context_size: "high" } };
      expect(() => chat(body, azure)).toThrow("rejected: web_search_options: ");
      expect(() => chat(body, openai)).toThrow("rejected: web_search_options: ");
      // Without the options they search as well, at the price that covers their searches.
      expect(chat(body, perplexity).body).not.toHaveProperty("web_search_options");
      const target = { vendor: openai, model: "gpt-4o-search-preview", namespace: "acme" };
      const searching = exchangeOf(asked({ body }), target, createAddress(settings, openai));
      expect(searching.body).not.toHaveProperty("web_search_options");
    });
  });

  test.each([
    ["gpt-5.6", undefined, true],
    ["gpt-5.6-luna", "low", true],
    ["gpt-5.6", "none", false],
    ["gpt-6-sol", undefined, true],
    ["gpt-5.4", undefined, false],
    ["gpt-5.4-mini", "high", true],
    ["gpt-5.4", "none", true],
    ["gpt-5.1", "high", false],
    ["gpt-5.3-chat-latest", "high", false],
    ["gpt-4.1", undefined, false],
  ])("uses the Responses API for tools with %s at effort %p: %p", (model, effort, isResponse) => {
    const more = { tools: [{ name: "look" }], ...(effort === undefined ? {} : { reasoningEffort: effort }) };
    const whereTo = (request: ChatRequest, vendor: WireVendor, given: Partial<ProviderSettings> = {}) =>
      exchangeOf(
        request,
        { vendor, model, namespace: "acme" },
        createAddress({ ...settings, ...given }, vendor),
      ).url;
    for (const vendor of [openai, azure]) {
      expect(whereTo(asked({}, more), vendor).endsWith("/responses")).toBe(isResponse);
      expect(whereTo(asked({}, { ...more, tools: [] }), vendor)).toEndWith("/chat/completions");
      expect(whereTo(asked({}, more), { ...vendor, speaksResponses: false })).toEndWith("/chat/completions");
    }
    expect(whereTo(asked({}, more), azure, { apiVersion: "2024-10-21" })).toContain("/chat/completions?");
    expect(whereTo(asked({}, more), WIRE_VENDORS["openai-wire"])).toEndWith("/chat/completions");
  });

  test("reads neutral events if there is a custom tool and the vendor supports none", () => {
    const custom = asked({ body: { tools: [{ type: "custom", custom: { name: "patch" } }], top_k: 1 } });
    const told = (vendor: WireVendor) => {
      const { body, reading } = exchange(custom, vendor);
      expect(body).toHaveProperty("top_k");
      const choices = [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }];
      return reading.whole({ choices }).map(({ type }) => type);
    };
    expect(told(openai)).toEqual(["wire", "wire", "finish"]);
    expect(told(deepseek)).toEqual(["text", "finish"]);
  });
});

test("a Responses request is passed through to a provider that the operator configured for it", async () => {
  const received: { path: string; body: unknown }[] = [];
  const response = {
    object: "response",
    status: "completed",
    output: [],
    usage: { input_tokens: 1, output_tokens: 2 },
  };
  const events = [
    { type: "response.words.delta", sequence_number: 0, delta: "Hi" },
    { type: "response.completed", sequence_number: 1, response },
  ];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      received.push({ path: new URL(request.url).pathname, body: await request.json() });
      const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  try {
    const text = textOf(
      `http://127.0.0.1:${server.port}/v1`,
      { responses: true },
      WIRE_VENDORS["openai-wire"],
    );
    const context = { requestId: "r", signal: never() };
    const batches = await Array.fromAsync(text.chat("m", asked({ kind: "responses" }), context));
    expect(batches.flat()).toEqual([
      { type: "wire", event: "response.words.delta", members: '"delta":"Hi"', written: "Hi" },
      { type: "finish", reason: "stop", usage: { inputTokens: 1, outputTokens: 2 }, whole: response },
    ]);
    expect(received).toMatchObject([
      { path: "/v1/responses", body: { model: "m", stream: true, store: false } },
    ]);
  } finally {
    await server.stop(true);
  }
});

describe("a total above input plus output", () => {
  const settings = { name: "acme", kind: null, baseUrl: "https://acme.example/v1", apiKey: null };
  const reported = (model: string, totalTokens: number, more: Partial<ChatRequest> = {}) => {
    const { wire: _none, ...request } = { ...asked({}), maxOutputTokens: 50, ...more };
    const vendor = WIRE_VENDORS["openai-wire"];
    const { reading } = exchangeOf(
      request,
      { vendor, model, namespace: "acme" },
      createAddress(settings, vendor),
    );
    const usage = { prompt_tokens: 11, completion_tokens: 9, total_tokens: totalTokens };
    const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
    const finish = reading.whole({ choices, usage }).at(-1);
    return finish?.type === "finish" ? finish.usage?.outputTokens : undefined;
  };

  test("is reasoning of a Gemini model, up to the output limit", () => {
    expect([reported("gemini-3-pro", 61), reported("google/gemini-3-pro", 40)]).toEqual([50, 29]);
    expect([reported("gemini-3-pro", 62), reported("gemini-3-pro", 5_000)]).toEqual([9, 9]);
    expect(reported("gemini-3-pro", 100, { n: 2 })).toBe(89);
  });

  test("is ignored for other models", () => {
    expect([reported("m", 40), reported("m", 5_000), reported("not-gemini-like", 40)]).toEqual([9, 9, 9]);
  });
});
