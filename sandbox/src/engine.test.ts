import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type ChatEvent,
  type ChatMessage,
  type ChatRequest,
  ProviderFailure,
  type ToolCall,
} from "../../gateway/src/contract/index.ts";
import { Stopped } from "../../gateway/src/kit/index.ts";
import { answerChat, type TokenEstimator } from "./engine.ts";
import { SANDBOX_DIRECTIVES } from "./reply.ts";

/** Tokens are words here, so that every number below can be checked by eye. */
const byWords: TokenEstimator = {
  estimateTokens: (text) => text.split(/\s+/).filter(Boolean).length,
  estimatePromptTokens: ({ messages }) => messages.length * 10,
};

type Options = Partial<ChatRequest> & { signal?: AbortSignal };

function chat(prompt: string | readonly ChatMessage[], { signal, ...options }: Options = {}) {
  const messages = typeof prompt === "string" ? [{ role: "user", content: prompt } as const] : prompt;
  const context = { requestId: "r", signal: signal ?? new AbortController().signal };
  return answerChat(byWords, { messages, maxOutputTokens: 1000, ...options }, context);
}

type Seen = { events: ChatEvent[]; text: string; finish: ChatEvent | undefined; failure: unknown };

async function seen(prompt: string | readonly ChatMessage[], options: Options = {}): Promise<Seen> {
  const events: ChatEvent[] = [];
  let failure: unknown;
  try {
    for await (const batch of chat(prompt, options)) events.push(...batch);
  } catch (error) {
    failure = error;
  }
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { events, text, finish: events.find(({ type }) => type === "finish"), failure };
}

/** The first tool call, assembled from its events. */
function callIn(events: readonly ChatEvent[]): ToolCall | undefined {
  const start = events.find((event) => event.type === "tool_start");
  const text = events.map((event) => (event.type === "tool_arguments" && event.call === 0 ? event.text : ""));
  return start && { id: start.id, name: start.name, arguments: text.join("") };
}

describe("a plain call", () => {
  test("streams word by word and ends in one finish with the usage", async () => {
    const { events, text, finish } = await seen("What is 2 + 2?");
    expect(text).toBe("Sandbox arithmetic: 2 + 2 = 4.");
    expect(events).toHaveLength(8);
    expect(finish).toEqual({ type: "finish", reason: "stop", usage: { inputTokens: 10, outputTokens: 7 } });
    expect(events.at(-1)).toBe(finish as ChatEvent);
  });

  test("gets the same answer each time, whatever precedes the last user message", async () => {
    const before: ChatMessage[] = [
      { role: "system", content: "Long rules. [sandbox:error=500]" },
      { role: "user", content: "[sandbox:echo] 1 + 1" },
      { role: "assistant", content: "[sandbox:bad]" },
    ];
    const last: ChatMessage = { role: "user", content: [{ type: "text", text: "Tell me a joke" }] };
    const alone = await seen([last]);
    expect((await seen([...before, last])).text).toBe(alone.text);
    expect((await seen([last])).text).toBe(alone.text);
  });

  test("keeps the caller's output limit, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (maxOutputTokens) => {
        const { text, finish } = await seen("[sandbox:tokens=40] hi", { maxOutputTokens });
        expect(byWords.estimateTokens(text)).toBe(Math.min(40, maxOutputTokens));
        expect(finish).toMatchObject({ reason: maxOutputTokens < 40 ? "length" : "stop" });
      }),
    );
  });

  test("stops before a stop sequence", async () => {
    const { text, finish } = await seen("Say one two three", { stop: ["three", " two"] });
    expect(text).toBe("The sandbox says: one");
    expect(finish).toMatchObject({ reason: "stop" });
  });

  test("streams reasoning on request and counts it as output", async () => {
    const { events, finish } = await seen("Say hi", { reasoningEffort: "low" });
    expect(events[0]?.type).toBe("reasoning");
    expect(finish).toMatchObject({ usage: { outputTokens: 24, reasoningTokens: 20 } });
    expect((await seen("Say hi", { reasoningEffort: "none" })).events[0]?.type).toBe("text");
  });

  test("gives n answers, each with its own index", async () => {
    const { events, finish } = await seen("Say hi", { n: 3 });
    const indexes = events.flatMap((event) => (event.type === "text" ? [event.index] : []));
    expect([...new Set(indexes)]).toEqual([0, 1, 2]);
    expect(finish).toMatchObject({ reasons: ["stop", "stop", "stop"], usage: { outputTokens: 12 } });
  });

  test("gives valid JSON if JSON is requested", async () => {
    const { text } = await seen("Say hi", { responseFormat: { type: "json" } });
    expect(JSON.parse(text)).toEqual({ provider: "sandbox", answer: "The sandbox says: hi" });
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const made = await seen("Take 7", { responseFormat: { type: "json_schema", name: "x", schema } });
    expect(JSON.parse(made.text)).toEqual({ n: expect.any(Number) });
  });
});

describe("tools", () => {
  const tools = [
    {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ];
  const ask: ChatMessage = { role: "user", content: "The weather in Paris?" };

  test("a round trip calls the tool and then restates its result", async () => {
    const first = await seen([ask], { tools });
    const call = callIn(first.events);
    expect(call).toMatchObject({ name: "get_weather", arguments: '{"city":"Paris"}' });
    expect(first.finish).toMatchObject({ reason: "tool_calls" });
    const result: ChatMessage = { role: "tool", toolCallId: call?.id ?? "", content: "17 degrees, windy" };
    const calling: ChatMessage = {
      role: "assistant",
      content: null,
      toolCalls: call === undefined ? [] : [call],
    };
    const second = await seen([ask, calling, result], { tools });
    expect(second.text).toBe("The sandbox called get_weather and got: 17 degrees, windy");
    expect(second.finish).toMatchObject({ reason: "stop" });
  });

  test("a named tool choice ends with the finish reason stop", async () => {
    const { finish } = await seen([ask], { tools, toolChoice: { name: "get_weather" } });
    expect(finish).toMatchObject({ reason: "stop" });
  });

  test("a call beyond the output limit is not made", async () => {
    const { events } = await seen([ask], { tools, maxOutputTokens: 1 });
    expect(events).toMatchObject([{ type: "finish", reason: "length", usage: { outputTokens: 0 } }]);
  });
});

describe("a directive", () => {
  test.each([
    [400, "rejected"],
    [401, "unauthorized"],
    [404, "unauthorized"],
    [408, "timeout"],
    [413, "rejected"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [503, "unavailable"],
  ])("error=%i fails before the first byte as %s", async (status, kind) => {
    const { events, failure } = await seen(`[sandbox:error=${status}] hi`);
    expect(events).toEqual([]);
    expect(failure).toBeInstanceOf(ProviderFailure);
    expect(failure).toMatchObject({ kind });
  });

  test.each([0, 1, 20, 500])("cut=after:%i breaks the stream off after that many words", async (words) => {
    const { text, finish, failure } = await seen(`[sandbox:cut=after:${words}] hi`);
    expect(byWords.estimateTokens(text)).toBe(words);
    expect(finish).toBeUndefined();
    expect(failure).toMatchObject({ kind: "unavailable" });
  });

  test("tokens=N writes exactly N tokens", async () => {
    const { text, finish } = await seen("[sandbox:tokens=500]");
    expect(byWords.estimateTokens(text)).toBe(500);
    expect(finish).toMatchObject({ reason: "stop", usage: { outputTokens: 500 } });
  });

  test("usage=none reports no usage, finish=length ends with length, finish=content_filter declines", async () => {
    expect((await seen("[sandbox:usage=none] hi")).finish).toMatchObject({ usage: null });
    expect((await seen("[sandbox:finish=length] hi")).finish).toMatchObject({ reason: "length" });
    expect((await seen("[sandbox:finish=content_filter] hi")).text).toContain("declines");
  });

  test("tokens applies to an echo, and tokens and finish to a refusal", async () => {
    const echo = await seen("[sandbox:echo][sandbox:tokens=30] one two");
    expect(echo.text).toStartWith("one two ");
    expect(byWords.estimateTokens(echo.text)).toBe(30);
    expect((await seen("[sandbox:echo][sandbox:tokens=1] one two")).text).toBe("one");
    const refusal = await seen("[sandbox:refusal][sandbox:tokens=30][sandbox:finish=content_filter]");
    const declined = refusal.events.map((event) => (event.type === "refusal" ? event.text : "")).join("");
    expect(declined).toStartWith("The sandbox declines");
    expect(byWords.estimateTokens(declined)).toBe(30);
    expect(refusal.finish).toMatchObject({ reason: "content_filter", usage: { outputTokens: 30 } });
  });

  test("tokens leaves JSON whole, and the list of directives mentions it", async () => {
    const { text } = await seen("[sandbox:tokens=2] Say hi", { responseFormat: { type: "json" } });
    expect(JSON.parse(text)).toEqual({ provider: "sandbox", answer: "The sandbox says: hi" });
    const listed = SANDBOX_DIRECTIVES.find(({ directive }) => directive.includes("tokens"));
    expect(listed?.effect).toContain("JSON");
  });

  test("echo returns the message, trimmed but otherwise unchanged", async () => {
    expect((await seen("[sandbox:echo]  a\n b [x] ")).text).toBe("a\n b [x]");
  });

  test("that is malformed is quoted in an answer with the correct spelling", async () => {
    const { text } = await seen("[sandbox:erorr=429] hi");
    expect(text).toContain('"[sandbox:erorr=429]"');
    expect(text).toContain("[sandbox:error=429]");
  });
});

describe("waiting", () => {
  test("first-byte delays the first event, and delay makes the whole answer longer", async () => {
    const startedAt = performance.now();
    const stream = chat("[sandbox:first-byte=20ms] [sandbox:delay=30ms] What is 1 + 1?");
    await stream.next();
    expect(performance.now() - startedAt).toBeGreaterThan(20);
    for await (const _event of stream);
    expect(performance.now() - startedAt).toBeGreaterThan(49);
  });

  test.each([
    "[sandbox:delay=120s]",
    "[sandbox:first-byte=120s]",
    "[sandbox:delay=120s][sandbox:error=500]",
    "[sandbox:delay=120s][sandbox:fail]",
  ])("%s ends immediately with the signal's reason when the call is stopped", async (directive) => {
    const stop = new AbortController();
    const ended = seen(`${directive} hi`, { signal: stop.signal });
    const reason = new Stopped("client_gone");
    stop.abort(reason);
    expect((await ended).failure).toBe(reason);
  });

  test("a call that is stopped between two words sends nothing more", async () => {
    const stop = new AbortController();
    const stream = chat("[sandbox:tokens=100]", { signal: stop.signal });
    await stream.next();
    stop.abort(new Stopped("shutdown"));
    await expect(stream.next()).rejects.toThrow("shutdown");
  });
});
