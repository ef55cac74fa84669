import { afterEach, describe, expect, test } from "bun:test";
import type { ChatEvent, ChatMessage } from "../../contract/index.ts";
import { createGoogleProvider, createVertexProvider } from "./google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

const chunk = (parts: readonly object[], finishReason?: string, usageMetadata?: object) => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}) }],
  ...(usageMetadata ? { usageMetadata } : {}),
});
const COUNTS = {
  promptTokenCount: 100,
  cachedContentTokenCount: 60,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 20,
};
const ANSWER = chunk([{ text: "Good day" }], "STOP", COUNTS);

let upstream: TestUpstream;
afterEach(() => upstream.close());

function start(...list: readonly object[]) {
  upstream = startTestUpstream(events(...list));
  return upstream.provider(createGoogleProvider);
}

describe("an answer", () => {
  test("counts thoughts as output and cached tokens as input, once", async () => {
    expect(await callOf(start(ANSWER))).toEqual([
      { type: "text", text: "Good day" },
      {
        type: "finish",
        reason: "stop",
        usage: { inputTokens: 100, outputTokens: 25, cachedInputTokens: 60, reasoningTokens: 20 },
      },
    ]);
  });

  test("reports its uncached audio input", async () => {
    const sound = { modality: "AUDIO", tokenCount: 70 };
    const heard = { ...COUNTS, promptTokensDetails: [{ modality: "TEXT", tokenCount: 30 }, sound] };
    const audioTokens = async (usageMetadata: object) => {
      const answer = await callOf(start(chunk([{ text: "Hi" }], "STOP", usageMetadata)));
      upstream.close();
      const finish = Array.isArray(answer) ? answer.find(({ type }) => type === "finish") : null;
      return finish?.type === "finish" ? finish.usage?.audioInputTokens : null;
    };
    const cacheTokensDetails = [{ modality: "AUDIO", tokenCount: 50 }];
    expect(await audioTokens({ ...heard, cacheTokensDetails })).toBe(20);
    // Of 100 tokens, 60 were cached, and it is unknown which.
    expect(await audioTokens(heard)).toBe(40);
    expect(await audioTokens(COUNTS)).toBeUndefined();
  });

  test("without counts reports null usage, so that it is estimated instead of free", async () => {
    const answer = await callOf(start(chunk([{ text: "Hi" }], "STOP", { trafficType: "ON_DEMAND" })));
    expect(answer).toContainEqual({ type: "finish", reason: "stop", usage: null });
  });

  test("carries signatures of thoughts, calls and text, and each is sent back in its place", async () => {
    const provider = start(
      chunk([{ text: "hm", thought: true, thoughtSignature: "dGhvdWdodA==" }]),
      chunk([{ text: "Let me see" }, { text: "", thoughtSignature: "YW5zd2Vy" }]),
      chunk([{ functionCall: { name: "now" }, thoughtSignature: "Y2FsbA==" }], "STOP", COUNTS),
    );
    const answer = await callOf(provider, {}, { model: "gemini-3-pro-preview" });
    expect(answer).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "reasoning_signature", signature: "google/reasoning:dGhvdWdodA==" },
      { type: "text", text: "Let me see" },
      { type: "reasoning_signature", signature: "google/answer:YW5zd2Vy" },
      {
        type: "tool_start",
        call: 0,
        id: expect.stringMatching(/^call_/),
        name: "now",
        signature: "google/call:Y2FsbA==",
      },
      { type: "tool_arguments", call: 0, text: "{}" },
      expect.objectContaining({ type: "finish", reason: "tool_calls" }),
    ]);
    const messages: ChatMessage[] = [
      { role: "user", content: "What time is it?" },
      {
        role: "assistant",
        content: "Let me see",
        reasoning: [
          { text: "hm", signature: "google/reasoning:dGhvdWdodA==" },
          { text: "", signature: "google/answer:YW5zd2Vy" },
          { text: "of another", signature: "anthropic/reasoning:c2ln" },
        ],
        toolCalls: [{ id: "c1", name: "now", arguments: "", signature: "google/call:Y2FsbA==" }],
      },
      { role: "tool", toolCallId: "c1", content: "12:00" },
    ];
    await callOf(provider, { messages, tools: [{ name: "now" }] }, { model: "gemini-3-pro-preview" });
    expect(upstream.sent[1]?.body["contents"]).toMatchObject([
      {},
      {
        parts: [
          { text: "hm", thought: true, thoughtSignature: "dGhvdWdodA==" },
          { text: "Let me see", thoughtSignature: "YW5zd2Vy" },
          { functionCall: { name: "now", args: {} }, thoughtSignature: "Y2FsbA==" },
        ],
      },
      { parts: [{ functionResponse: { name: "now" } }] },
    ]);
    expect(JSON.stringify(upstream.sent[1]?.body)).not.toContain("of another");
  });

  test("is complete if only its last blank line is missing, and broken off if more is", async () => {
    const whole = `data: ${JSON.stringify(chunk([{ text: "Hi" }], "STOP", COUNTS))}`;
    const answerOf = (text: string) => {
      upstream = startTestUpstream(() => new Response(text));
      return callOf(upstream.provider(createGoogleProvider)).finally(() => upstream.close());
    };
    expect(await answerOf(whole)).toMatchObject([{ text: "Hi" }, { type: "finish", reason: "stop" }]);
    expect(await answerOf(whole.slice(0, -1))).toMatchObject({
      publicMessage: expect.stringContaining("broke off"),
    });
  });

  test("with parallel calls has one signature, which is sent back with the first call", async () => {
    const provider = start(
      chunk(
        [
          { functionCall: { name: "weather", args: { city: "Bern" } }, thoughtSignature: "Y2FsbA==" },
          { functionCall: { name: "weather", args: { city: "Rome" } } },
        ],
        "STOP",
        COUNTS,
      ),
    );
    const answer = (await callOf(provider, {}, { model: "gemini-3-pro-preview" })) as ChatEvent[];
    const toolCalls = answer.flatMap((event) =>
      event.type === "tool_start" ? [{ ...event, arguments: '{"city":"Bern"}' }] : [],
    );
    expect(toolCalls.map(({ signature }) => signature)).toEqual(["google/call:Y2FsbA==", undefined]);
    const messages: ChatMessage[] = [
      { role: "user", content: "Compare" },
      { role: "assistant", content: null, toolCalls },
      ...toolCalls.map(({ id }) => ({ role: "tool", toolCallId: id, content: "17" }) as const),
    ];
    await callOf(provider, { messages, tools: [{ name: "weather" }] }, { model: "gemini-3-pro-preview" });
    const [, calls, results] = (upstream.sent[1]?.body["contents"] ?? []) as { parts: object[] }[];
    expect(calls?.parts).toMatchObject([
      { thoughtSignature: "Y2FsbA==" },
      { functionCall: { name: "weather" } },
    ]);
    expect(calls?.parts[1]).not.toHaveProperty("thoughtSignature");
    expect(results?.parts).toHaveLength(2);
  });

  test("whose signature the client lost is sent back with a placeholder signature", async () => {
    const messages: ChatMessage[] = [
      { role: "user", content: "What time is it?" },
      { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "now", arguments: "{}" }] },
      {
        role: "tool",
        toolCallId: "c1",
        content: [
          { type: "text", text: "noon" },
          { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
        ],
      },
    ];
    await callOf(start(ANSWER), { messages, tools: [{ name: "now" }] }, { model: "gemini-3-pro-preview" });
    expect(upstream.sent[0]?.body["contents"]).toMatchObject([
      {},
      { parts: [{ functionCall: { name: "now" }, thoughtSignature: "skip_thought_signature_validator" }] },
      {
        parts: [
          { functionResponse: { name: "now", response: { content: "noon" }, parts: [{ inlineData: {} }] } },
        ],
      },
    ]);
  });

  test.each([
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["MODEL_ARMOR", "content_filter"],
    ["LANGUAGE", "content_filter"],
    ["IMAGE_PROHIBITED_CONTENT", "content_filter"],
    ["OTHER", "stop"],
  ])("with finishReason %s finishes with %s", async (said, reason) => {
    const answer = await callOf(start(chunk([{ text: "a" }], said, COUNTS)));
    expect(answer).toContainEqual(expect.objectContaining({ type: "finish", reason }));
  });

  test("that a filter left empty finishes with content_filter", async () => {
    const candidates = [{ finishReason: "MODEL_ARMOR", finishMessage: "The response violated a setting." }];
    const answer = await callOf(start({ candidates, usageMetadata: COUNTS }));
    expect(answer).toMatchObject([{ type: "finish", reason: "content_filter", usage: { inputTokens: 100 } }]);
  });

  test("to a blocked prompt finishes with content_filter", async () => {
    const answer = await callOf(start({ promptFeedback: { blockReason: "SAFETY" }, usageMetadata: COUNTS }));
    expect(answer).toContainEqual(expect.objectContaining({ type: "finish", reason: "content_filter" }));
  });
});

describe("a failure", () => {
  test.each([
    ["breaks off", chunk([{ text: "half" }])],
    ["has a malformed call", chunk([], "MALFORMED_FUNCTION_CALL", COUNTS)],
    ["calls an unknown tool", chunk([], "UNEXPECTED_TOOL_CALL", COUNTS)],
    ["is malformed", chunk([{ text: "half" }], "MALFORMED_RESPONSE", COUNTS)],
    ["contains an error", { error: { code: 503, message: "Busy", status: "UNAVAILABLE" } }],
  ])("an answer that %s is unavailable", async (_how, only) => {
    expect(await callOf(start(only))).toMatchObject({ kind: "unavailable" });
  });

  test("an invalid key is unauthorized, though its status is 400", async () => {
    const error = { code: 400, message: "API key not valid. Please pass one.", status: "INVALID_ARGUMENT" };
    upstream = startTestUpstream(() => Response.json({ error }, { status: 400 }));
    expect(await callOf(upstream.provider(createGoogleProvider))).toMatchObject({ kind: "unauthorized" });
  });

  test("an image that the model cannot take is rejected as unsupported", async () => {
    const content = [{ type: "image" as const, url: "data:,notapicture" }];
    const failure = await callOf(start(ANSWER), { messages: [{ role: "user", content }] });
    expect(failure).toMatchObject({ kind: "rejected" });
    expect(String(failure)).toContain("not supported by this model");
  });
});

describe("the request", () => {
  test("keeps the limit, omits refused schema keywords, and asks for thoughts if an effort is set", async () => {
    const parameters = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { pattern: { type: "string", pattern: "a+", default: "a" }, unit: { const: "C" } },
      required: ["pattern"],
      additionalProperties: false,
    };
    await callOf(
      start(ANSWER),
      { tools: [{ name: "find", parameters }], reasoningEffort: "low" },
      { model: "gemini-2.5-flash" },
    );
    const { tools, generationConfig } = upstream.sent[0]?.body ?? {};
    expect(tools).toMatchObject([
      {
        functionDeclarations: [
          {
            parametersJsonSchema: {
              type: "object",
              properties: { pattern: { type: "string" }, unit: { enum: ["C"] } },
              required: ["pattern"],
              additionalProperties: false,
            },
          },
        ],
      },
    ]);
    expect(JSON.stringify(tools)).not.toMatch(/\$schema|default|a\+/);
    expect(generationConfig).toMatchObject({
      maxOutputTokens: 4_000,
      thinkingConfig: { includeThoughts: true },
    });
  });

  test("carries definitions as $defs, in tools and in the response schema", async () => {
    const schema = {
      type: "object",
      properties: {
        who: { $ref: "#/definitions/Person" },
        boss: { allOf: [{ $ref: "#/definitions/Person" }] },
      },
      definitions: { Person: { type: "object", properties: { name: { type: "string", minLength: 1 } } } },
    };
    const provider = start(ANSWER);
    await callOf(provider, { tools: [{ name: "hire", parameters: schema }] });
    await callOf(provider, { responseFormat: { type: "json_schema", name: "hired", schema } });
    const sent = {
      type: "object",
      properties: { who: { $ref: "#/$defs/Person" }, boss: { $ref: "#/$defs/Person" } },
      $defs: { Person: { type: "object", properties: { name: { type: "string" } } } },
    };
    const [first, second] = upstream.sent.map(({ body }) => body);
    expect(first?.["tools"]).toMatchObject([{ functionDeclarations: [{ parametersJsonSchema: sent }] }]);
    expect(second?.["generationConfig"]).toMatchObject({ responseJsonSchema: sent });
  });

  test("puts results of parallel calls into one turn", async () => {
    const messages: ChatMessage[] = [
      { role: "user", content: "Compare" },
      {
        role: "assistant",
        content: "",
        toolCalls: [
          { id: "a", name: "first", arguments: "{}" },
          { id: "b", name: "second", arguments: "not json" },
        ],
      },
      { role: "tool", toolCallId: "a", content: "1" },
      { role: "tool", toolCallId: "b", content: [{ type: "text", text: "2" }] },
    ];
    await callOf(start(ANSWER), { messages }, { model: "gemini-2.5-flash" });
    expect(upstream.sent[0]?.body["contents"]).toMatchObject([
      { role: "user" },
      { parts: [{ functionCall: { name: "first" } }, { functionCall: { args: { input: "not json" } } }] },
      { parts: [{ functionResponse: { name: "first" } }, { functionResponse: { name: "second" } }] },
    ]);
  });

  test("to Vertex uses the same path and key header", async () => {
    upstream = startTestUpstream(events(ANSWER));
    await callOf(upstream.provider(createVertexProvider), {}, { model: "gemini-2.5-flash" });
    expect(upstream.sent[0]?.path).toBe("/base/models/gemini-2.5-flash:streamGenerateContent");
    expect(upstream.sent[0]?.headers.get("x-goog-api-key")).toBe("secret-key-1");
  });
});

test.each([createGoogleProvider, createVertexProvider])(
  "a seed beyond 32 bits is mapped to one that fits, always the same: %p",
  async (factory) => {
    upstream = startTestUpstream(events(ANSWER));
    const provider = upstream.provider(factory);
    const given = [7, -7, 2_147_483_647, 2_147_483_648, 1_794_915_176_000, 1_794_915_176_000];
    for (const seed of given) await callOf(provider, { seed });
    const sent = upstream.sent.map(({ body }) => body["generationConfig"] as { readonly seed: number });
    expect(sent.slice(0, 3).map(({ seed }) => seed)).toEqual(given.slice(0, 3));
    expect(sent.every(({ seed }) => Number.isInteger(seed) && Math.abs(seed) <= 2 ** 31)).toBe(true);
    expect(sent[5]?.seed).toBe(sent[4]?.seed);
    expect(new Set(sent.map(({ seed }) => seed)).size).toBe(5);
  },
);

test.each([
  ["gemini-3.1-pro-preview", createGoogleProvider, {}],
  ["gemini-3-flash-preview", createVertexProvider, {}],
  ["models/gemini-3-flash-preview", createGoogleProvider, {}],
  ["not-gemini-3", createGoogleProvider, { presencePenalty: 0.2, frequencyPenalty: 0.4 }],
  ["gemini-2.5-flash", createVertexProvider, { presencePenalty: 0.2, frequencyPenalty: 0.4 }],
] as const)("%s gets penalties only if it accepts them", async (model, factory, expected) => {
  upstream = startTestUpstream(events(ANSWER));
  const wireFields = { presence_penalty: 0.2, frequency_penalty: 0.4 };
  await callOf(upstream.provider(factory), { wireFields, temperature: 0.5 }, { model });
  const sent = upstream.sent[0]?.body["generationConfig"];
  expect(sent).toEqual({ maxOutputTokens: 4_000, temperature: 0.5, ...expected });
});
