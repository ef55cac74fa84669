import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type ChatEvent,
  type ChatRequest,
  ProviderFailure,
  type TextProvider,
} from "../../../gateway/src/contract/index.ts";
import { createProviders } from "../../../gateway/src/providers/index.ts";
import { callContext, tinyPng } from "../../../gateway/src/providers/media/media-testing.ts";
import { answerChat } from "../engine.ts";
import { estimator, KEY, startTestServer, type TestServer } from "./testing.ts";

/** Every answer twice: by the engine alone, and as the gateway reads it off the wire. */
type Way = (request: ChatRequest) => ReturnType<TextProvider["chat"]>;

const byEngine: Way = (request) => answerChat(estimator, request, context());
let overWire: Way;
let server: TestServer;
beforeAll(() => {
  server = startTestServer();
  const settings = {
    name: "sandbox",
    kind: "sandbox",
    baseUrl: `${server.url}/v1`,
    apiKey: KEY,
    settingNames: { apiKey: "key", baseUrl: "url" },
  };
  const timeouts = { connectMs: 2_000, firstByteMs: 20_000, idleMs: 20_000 };
  const [provider] = createProviders(new Map([["sandbox", settings]]), { timeouts });
  if (provider?.text === undefined) throw new Error("there is no adapter");
  const { text } = provider;
  overWire = (request) => text.chat("sandbox-chat", request, context());
});
afterAll(() => server.close());

/** Each call has an id of its own. */
const context = () => ({ ...callContext(), requestId: crypto.randomUUID() });

/** What the caller notices of a failure. */
function failureOf(error: unknown) {
  if (!(error instanceof ProviderFailure)) throw error;
  const { kind, publicMessage, detail } = error;
  return { kind, publicMessage, reason: detail.reason, retryAfterSeconds: detail.retryAfterSeconds };
}

/** Both outcomes; the first is the engine's. */
function both<Made>(make: (way: Way) => Promise<Made>): Promise<[Made, Made]> {
  return Promise.all([make(byEngine), make(overWire)]);
}

/** The same outcome both ways, which is returned so that a case can say what it is. */
async function expectSame<Made>(make: (way: Way) => Promise<Made>): Promise<Made> {
  const [own, read] = await both(make);
  expect(read).toEqual(own);
  return own;
}

type Call = { id: string; name: string; arguments: string };
type Answer = { text: string; refusal: string; reasoning: string; isSigned: boolean; calls: Call[] };

async function chatting(way: Way, request: ChatRequest) {
  const answers: Answer[] = [];
  let finish: Extract<ChatEvent, { type: "finish" }> | undefined;
  let failure: unknown;
  const take = (event: ChatEvent) => {
    if (event.type === "finish") finish = event;
    if (event.type === "finish" || event.type === "input" || event.type === "wire") return;
    const index = event.index ?? 0;
    answers[index] ??= { text: "", refusal: "", reasoning: "", isSigned: false, calls: [] };
    const answer = answers[index];
    if (event.type === "text") answer.text += event.text;
    if (event.type === "refusal") answer.refusal += event.text;
    if (event.type === "reasoning") answer.reasoning += event.text;
    if (event.type === "reasoning_signature") answer.isSigned = true;
    if (event.type === "tool_start")
      answer.calls[event.call] = { id: event.id, name: event.name, arguments: "" };
    const call = event.type === "tool_arguments" ? answer.calls[event.call] : undefined;
    if (call !== undefined && event.type === "tool_arguments") call.arguments += event.text;
  };
  try {
    for await (const batch of way(request)) batch.forEach(take);
  } catch (error) {
    failure = failureOf(error);
  }
  const { reason, reasons, usage } = finish ?? {};
  return { answers, reason, reasons, usage, ...(failure === undefined ? {} : { failure }) };
}

function ask(content: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [{ role: "user", content }], maxOutputTokens: 2_000, ...more };
}

const WEATHER = {
  name: "get_weather",
  description: "Tells the weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
    required: ["city"],
  },
};
const TIME = { name: "get_time", parameters: { type: "object", properties: { zone: { type: "string" } } } };
const tools = [WEATHER, TIME];
const PERSON = {
  type: "object",
  properties: {
    name: { type: "string" },
    age: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["name", "age", "tags"],
  additionalProperties: false,
};
const CALLED = [
  { role: "user", content: "What is the weather? [sandbox:reasoning=signed]" },
  {
    role: "assistant",
    content: null,
    toolCalls: [{ id: "call_1", name: "get_weather", arguments: '{"city":"Rome"}' }],
  },
  { role: "tool", toolCallId: "call_1", content: '{"sky":"clear"}' },
] as const satisfies ChatRequest["messages"];
const PICTURE = `data:image/png;base64,${Buffer.from(tinyPng()).toString("base64")}`;

describe("chat", () => {
  test.each<[string, ChatRequest]>([
    ["arithmetic", ask("What is 12 times 12?")],
    ["small talk", ask("hello")],
    ["a long text", ask("Write about boats. [sandbox:tokens=700]")],
    ["an answer cut by its limit", ask("Write about boats. [sandbox:tokens=300]", { maxOutputTokens: 40 })],
    ["a stop sequence", ask("[sandbox:echo] one two three STOP four", { stop: ["STOP", "never"] })],
    [
      "instructions and history",
      {
        ...ask("x"),
        messages: [
          { role: "system", content: "You are kind." },
          { role: "user", content: "hi" },
          { role: "assistant", content: "Hello." },
          { role: "user", content: "[sandbox:echo] again, please ☃" },
        ],
      },
    ],
    ["a seed", ask("Name a number. [sandbox:tokens=60]", { seed: 7 })],
    ["two answers", ask("Tell me of boats.", { n: 2 })],
    ["JSON", ask("A person, as JSON.", { responseFormat: { type: "json" } })],
    [
      "a JSON schema",
      ask("A person.", { responseFormat: { type: "json_schema", name: "p", schema: PERSON } }),
    ],
    ["a tool that the prompt names", ask("Please call get_weather.", { tools })],
    ["a tool that is required", ask("hm", { tools, toolChoice: "required" })],
    ["a tool chosen by name", ask("hm", { tools, toolChoice: { name: "get_time" } })],
    ["no tool", ask("Please call get_weather.", { tools, toolChoice: "none" })],
    [
      "several calls",
      ask('[sandbox:call=get_time {"zone":"UTC"}][sandbox:call=get_weather {"city":"Rome"}]', { tools }),
    ],
    [
      "one call at a time",
      ask("[sandbox:call=get_time][sandbox:call=get_weather]", {
        tools,
        wireFields: { parallel_tool_calls: false },
      }),
    ],
    ["the result of a tool", { ...ask(""), tools, messages: CALLED }],
    [
      "an image and a file",
      ask("", {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What are these?" },
              { type: "image", url: PICTURE },
              { type: "file", data: "aGVsbG8=", filename: "notes.txt", mediaType: "text/plain" },
            ],
          },
        ],
      }),
    ],
    ["thinking", ask("hello", { reasoningEffort: "high" })],
  ])("%s", async (_name, request) => {
    const outcome = await expectSame((way) => chatting(way, request));
    expect(outcome).toMatchObject({ usage: { inputTokens: expect.any(Number) } });
  });

  test.each([
    "What is 12 times 12?",
    "[sandbox:reasoning=signed] hello",
    "[sandbox:refusal]",
    "[sandbox:usage=none] hello",
    "[sandbox:finish=length] hello",
    '[sandbox:call=get_time {"zone":"UTC"}][sandbox:call=get_weather {"city":"Rome"}]',
    "[sandbox:error=429]",
  ])("in one piece: %s", async (prompt) => {
    await expectSame((way) => chatting(way, ask(prompt, { tools, inOnePiece: true })));
  });

  test.each([
    "Tell me of boats.",
    "[sandbox:reasoning] hello",
    "[sandbox:echo] hello",
    "[sandbox:finish=length] hi",
  ])("in the words of a client of the same wire: %s", async (content) => {
    const messages = [{ role: "user", content }];
    const wire = { kind: "chat_completions", body: { model: "x", messages, temperature: 0.5 } } as const;
    const outcome = await expectSame(async (way) => {
      let written = "";
      let end: unknown;
      const request = { ...ask(content), wire };
      for await (const batch of way(request))
        for (const event of batch) {
          if (event.type === "text" || event.type === "reasoning") written += event.text;
          if (event.type === "wire") written += event.written;
          if (event.type === "finish") end = { reason: event.reason, usage: event.usage };
        }
      return { written, end };
    });
    expect(outcome.written.length).toBeGreaterThan(2);
  });

  test("the signed reasoning of a call comes back with its result", async () => {
    const [own, read] = await both(async (way) => {
      const first = ask("hm [sandbox:reasoning=signed][sandbox:call=get_time]", { tools });
      const events: ChatEvent[] = [];
      for await (const batch of way(first)) events.push(...batch);
      const text = events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
      const signed = events.find((event) => event.type === "reasoning_signature");
      const call = events.find((event) => event.type === "tool_start");
      const reasoning = [{ text, signature: signed?.signature ?? "" }];
      const toolCalls = [{ id: call?.id ?? "", name: "get_time", arguments: "{}" }];
      const back = await chatting(way, {
        ...first,
        messages: [
          ...first.messages,
          { role: "assistant", content: null, toolCalls, reasoning },
          { role: "tool", toolCallId: call?.id ?? "", content: "noon" },
        ],
      });
      return back.answers[0]?.text;
    });
    expect(own).toContain("Its signed reasoning came back.");
    expect(read).toEqual(own);
  });
});

/** Every directive, as the wire carries it; `error` has a table of its own. */
describe("directives of chat", () => {
  test.each<[string, object]>([
    ["[sandbox:delay=40ms] hello", { reason: "stop" }],
    ["[sandbox:first-byte=40ms] hello", { reason: "stop" }],
    ["[sandbox:tokens=50] hello", { usage: { outputTokens: expect.any(Number) } }],
    ["[sandbox:usage=none] hello", { usage: null }],
    ["[sandbox:finish=length] hello", { reason: "length" }],
    ["[sandbox:finish=stop] hello", { reason: "stop" }],
    ["[sandbox:finish=content_filter] hello", { reason: "content_filter" }],
    ["[sandbox:echo] hello", { answers: [{ text: "hello" }] }],
    ["[sandbox:refusal] hello", { answers: [{ text: "", refusal: expect.stringContaining("declines") }] }],
    ["[sandbox:reasoning] hello", { answers: [{ reasoning: expect.stringContaining("asks for") }] }],
    ["[sandbox:reasoning=signed] hello", { answers: [{ isSigned: true }] }],
    ["[sandbox:fail] hello", { failure: { kind: "unavailable" } }],
    ["[sandbox:processing=10s] hello", { reason: "stop" }],
    ["[sandbox:eror=429] hello", { answers: [{ text: expect.stringContaining("I cannot read") }] }],
  ])("%s", async (prompt, expected) => {
    const outcome = await expectSame((way) => chatting(way, ask(prompt)));
    expect(outcome).toMatchObject(expected);
  });

  test.each([true, false])(
    "a cut answer breaks off after its words, in one piece or not: %p",
    async (isWhole) => {
      const [own, read] = await both((way) =>
        chatting(way, ask("[sandbox:cut=after:20] hello", isWhole ? { inOnePiece: true } : {})),
      );
      if (!isWhole) expect(read.answers).toEqual(own.answers);
      // Only the words differ: over the wire it is the connection that ends.
      for (const end of [own, read]) expect(end).toMatchObject({ failure: { kind: "unavailable" } });
    },
  );

  test.each([400, 401, 402, 403, 404, 405, 408, 409, 413, 418, 422, 429, 500, 502, 503, 504, 529, 599])(
    "[sandbox:error=%i]",
    async (status) => {
      const outcome = await expectSame((way) => chatting(way, ask(`[sandbox:error=${status}]`)));
      expect(outcome).toMatchObject({ failure: { kind: expect.any(String) } });
    },
  );

  test.each([300, 301, 304])("[sandbox:error=%i], which no client of a vendor follows", async (status) => {
    const ends = await both((way) => chatting(way, ask(`[sandbox:error=${status}]`)));
    for (const end of ends) expect(end).toMatchObject({ failure: { kind: "unavailable" } });
  });
});
