import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import {
  balanceOf,
  type ChatClient,
  createChatClient,
  lastRequestOf,
  say,
  tool,
} from "./openai-chat-client.ts";

let gateway: TestGateway;
let client: ChatClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  client = createChatClient(gateway, await gateway.found());
});
afterAll(() => gateway.close());

async function poorClient(credits: number) {
  const organization = await gateway.found({ credits });
  return { organization, client: createChatClient(gateway, organization) };
}

const errorOf = async (response: Response) =>
  (await response.json()) as { error: Record<string, unknown>; checkout_url?: string };

describe("200", () => {
  test("reports its cost and the remaining balance in body and headers, and the balance agrees", async () => {
    const { organization, client: own } = await poorClient(50);
    const response = await own.post(say("What is 6 times 7?"));
    const body = (await response.json()) as Record<string, unknown>;
    expect(body["credits_charged"]).toBe(1);
    expect(body["balance"]).toEqual({ subscription: 0, anytime: 49 });
    expect(response.headers.get("x-credits-charged")).toBe("1");
    expect(response.headers.get("x-credits-balance")).toBe("49");
    expect(response.headers.get("x-ratelimit-limit-requests")).toBe("6000");
    expect(await balanceOf(gateway, organization)).toEqual({ total: 49, held: 0 });
    expect(await lastRequestOf(gateway, organization)).toMatchObject({
      endpoint: "v1-chat-completions",
      status: "succeeded",
      request_id: response.headers.get("x-request-id"),
    });
  });

  test("usage adds up, and an alias is answered by the model it stands for", async () => {
    const { usage, model, choices } = await client.reply({ ...say("What is 6 times 7?"), model: "svc-code" });
    expect(model).toBe("sandbox-chat");
    expect(choices[0]?.message.content).toContain("42");
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  test("n answers are n choices, each charged", async () => {
    const { choices, credits_charged } = await client.reply(say("Say hello", { n: 3 }));
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(credits_charged).toBe(3);
  });

  test("reasoning is returned beside the answer and counted in usage", async () => {
    const { choices, usage } = await client.reply(say("What is 6 times 7?", { reasoning_effort: "low" }));
    expect(choices[0]?.message.reasoning_content).toContain("sandbox");
    expect(usage.completion_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  });

  test("structured output follows its schema", async () => {
    const schema = { type: "object", properties: { total: { type: "integer" } }, required: ["total"] };
    const response_format = { type: "json_schema", json_schema: { name: "sum", strict: true, schema } };
    const { choices } = await client.reply(say("What is 6 times 7?", { response_format }));
    expect(JSON.parse(choices[0]?.message.content ?? "")).toEqual({ total: expect.any(Number) });
  });

  test("a limit ends the answer, one above the model's is accepted, and a stop text is left out", async () => {
    const short = await client.reply(say("[sandbox:tokens=200] Tell a story", { max_completion_tokens: 5 }));
    expect(short.choices[0]?.finish_reason).toBe("length");
    expect(short.usage.completion_tokens).toBeLessThanOrEqual(5);
    expect((await client.reply(say("hello", { max_tokens: 10_000_000 }))).choices[0]?.finish_reason).toBe(
      "stop",
    );
    const stopped = await client.reply(say("[sandbox:echo] one two three", { stop: ["two"] }));
    expect(stopped.choices[0]?.message.content).toBe("one ");
  });

  test("requested log probabilities are null, because the sandbox has none", async () => {
    const { choices } = await client.reply(say("hello", { logprobs: true, top_logprobs: 2 }));
    expect(choices[0]?.logprobs).toBeNull();
  });

  test("images and further fields are accepted", async () => {
    const content = [
      { type: "text", text: "[sandbox:echo] Look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ];
    const more = {
      user: "u",
      store: true,
      metadata: { a: "b" },
      service_tier: "auto",
      prompt_cache_key: "k",
    };
    expect((await client.reply(say(content, more))).choices[0]?.message.content).toContain("Look");
  });
});

type Said = { readonly tool_calls?: readonly { readonly id: string }[] };

describe("tools", () => {
  const weather = tool("get_weather", { city: { type: "string" } });
  const time = tool("get_time", { zone: { type: "string" } });

  test("a tool is called, and its result is used in the next answer", async () => {
    const question = { role: "user", content: '[sandbox:call=get_weather {"city":"Oslo"}]' };
    const asked = await client.reply({ messages: [question], tools: [weather] });
    const [choice] = asked.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message.content).toBeNull();
    const call = choice?.message.tool_calls?.[0];
    expect(call).toMatchObject({
      type: "function",
      function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
    });
    const result = { role: "tool", tool_call_id: call?.id, content: [{ type: "text", text: "Snow, -3" }] };
    const answered = await client.reply({ messages: [question, choice?.message, result], tools: [weather] });
    expect(answered.choices[0]?.message.content).toContain("Snow, -3");
    expect(answered.choices[0]?.finish_reason).toBe("stop");
  });

  test("signed reasoning returns to the provider with the tool result, though clients echo only call ids", async () => {
    const prompt = '[sandbox:reasoning=signed] [sandbox:call=get_weather {"city":"Oslo"}]';
    const question = { role: "user", content: prompt };
    const asked = { messages: [question], tools: [weather], reasoning_effort: "low" };
    // Beside our own fields, this wire's servers have some of theirs.
    const { choices } = (await (await client.post(asked)).json()) as { choices: [{ message: Said }] };
    const made = choices[0].message.tool_calls?.[0];
    const streamed = await (await client.post({ ...asked, stream: true })).text();
    expect(streamed).toContain(`"id":${JSON.stringify(made?.id)}`);
    const turn = { role: "assistant", content: null, tool_calls: [made] };
    const result = { role: "tool", tool_call_id: made?.id, content: "Snow" };
    const answered = await (await client.post({ ...asked, messages: [question, turn, result] })).text();
    expect(answered).toContain("came back");
    expect(answered).not.toContain("did not come back");
  });

  test("two parallel calls have different ids", async () => {
    const prompt = '[sandbox:call=get_weather {"city":"Oslo"}] [sandbox:call=get_time {"zone":"CET"}]';
    const { choices } = await client.reply(
      say(prompt, { tools: [weather, time], parallel_tool_calls: true }),
    );
    const calls = choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => (call.type === "function" ? call.function.name : ""))).toEqual([
      "get_weather",
      "get_time",
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test("tool_choice required ends in tool_calls, a named tool ends in stop, and none makes no call", async () => {
    const ask = async (tool_choice: unknown) =>
      (await client.reply(say("Hello there", { tools: [weather], tool_choice }))).choices[0];
    const forced = await ask("required");
    expect([forced?.message.tool_calls?.length, forced?.finish_reason]).toEqual([1, "tool_calls"]);
    const named = await ask({ type: "function", function: { name: "get_weather" } });
    expect([named?.message.tool_calls?.length, named?.finish_reason]).toEqual([1, "stop"]);
    const none = await ask("none");
    expect([none?.message.tool_calls, none?.finish_reason]).toEqual([undefined, "stop"]);
  });

  test("a custom tool is called with plain text", async () => {
    const custom = { type: "custom", custom: { name: "shell", description: "Runs a command." } };
    const prompt = '[sandbox:call=shell {"input":"ls -l"}]';
    const { choices } = await client.reply(say(prompt, { tools: [custom] }));
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
      type: "custom",
      custom: { name: "shell", input: "ls -l" },
    });
  });

  test("functions of the older form are called in the older form", async () => {
    const prompt = '[sandbox:call=get_time {"zone":"CET"}]';
    const { choices } = await client.reply(say(prompt, { functions: [time.function] }));
    expect(choices[0]?.message.function_call).toEqual({ name: "get_time", arguments: '{"zone":"CET"}' });
    expect(choices[0]?.finish_reason).toBe("function_call");
  });
});

describe("402", () => {
  test("has the checkout link in the error and beside it, streamed or not", async () => {
    const { client: poor } = await poorClient(0);
    for (const stream of [false, true]) {
      const response = await poor.post(say("hello", { stream }));
      const { error, checkout_url } = await errorOf(response);
      expect(response.status).toBe(402);
      expect(error).toMatchObject({ type: "insufficient_quota", code: "insufficient_credits", checkout_url });
      expect(checkout_url).toMatch(/\/console\/billing\?organization=[0-9a-f-]{36}&credits=1&needed=\d+$/);
    }
  });
});

describe("429", () => {
  test("has a positive Retry-After and zero in x-ratelimit-remaining-requests", async () => {
    await gateway.database.freezeClock();
    const organization = await gateway.found();
    const slow = await organization.mint({ requestsPerMinute: 1 });
    const own = createChatClient(gateway, { ...organization, key: slow.key });
    await own.reply(say("hello"));
    const response = await own.post(say("hello"));
    expect(response.status).toBe(429);
    expect((await errorOf(response)).error).toMatchObject({
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
    });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(response.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  });
});

describe("providers that fail", () => {
  test.each([
    ["[sandbox:error=400]", 400, "invalid_request_error", null],
    ["[sandbox:error=401]", 502, "server_error", "false"],
    ["[sandbox:error=429]", 503, "server_error", null],
    ["[sandbox:error=500]", 502, "server_error", null],
    ["[sandbox:cut=after:3]", 502, "server_error", null],
  ])("%s becomes %i, and charges and holds nothing", async (directive, status, type, shouldRetry) => {
    const { organization, client: own } = await poorClient(10);
    const response = await own.post(say(directive));
    const { error } = await errorOf(response);
    expect([response.status, error["type"]]).toEqual([status, type]);
    expect(response.headers.get("x-should-retry")).toBe(shouldRetry);
    expect(response.headers.get("x-ratelimit-remaining-requests")).toMatch(/^\d+$/);
    expect(await balanceOf(gateway, organization)).toEqual({ total: 10, held: 0 });
  });

  test("a prompt beyond the model's context is a 400 context_length_exceeded and is not recorded", async () => {
    const { organization, client: own } = await poorClient(10);
    const response = await own.post(say("word ".repeat(400_000)));
    expect(response.status).toBe(400);
    expect((await errorOf(response)).error).toMatchObject({
      code: "context_length_exceeded",
      param: "messages",
    });
    expect(await lastRequestOf(gateway, organization)).toEqual({});
  });
});

describe("Idempotency-Key", () => {
  test("a repeat gets the first reply, byte for byte, for free", async () => {
    const { organization, client: own } = await poorClient(10);
    const headers = { "idempotency-key": "order-1" };
    const first = await own.post(say("Say hello to the harbour", { n: 2 }), headers);
    const repeat = await own.post(say("Say hello to the harbour", { n: 2 }), headers);
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect(await repeat.text()).toBe(await first.text());
    expect(repeat.headers.get("x-credits-charged")).toBe("2");
    const limit = first.headers.get("x-ratelimit-limit-requests") ?? "";
    expect(repeat.headers.get("x-ratelimit-limit-requests")).toBe(limit);
    const other = await own.post(say("Say goodbye"), headers);
    expect([other.status, other.headers.get("x-ratelimit-limit-requests")]).toEqual([409, limit]);
    expect(await balanceOf(gateway, organization)).toEqual({ total: 8, held: 0 });
  });

  test("a different body under the same key is a 409 with x-should-retry false", async () => {
    const headers = { "idempotency-key": "order-2" };
    await client.reply(say("hello"), headers);
    const response = await client.post(say("goodbye"), headers);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([409, "false"]);
    expect((await errorOf(response)).error["type"]).toBe("invalid_request_error");
  });

  test("a caller that disconnects is charged for the answer, and a repeat gets it", async () => {
    const { organization, client: own } = await poorClient(10);
    const headers = { "idempotency-key": "left" };
    const body = say("[sandbox:first-byte=90ms] hello");
    const controller = new AbortController();
    const leaving = own.post(body, headers, controller.signal);
    while (gateway.services.running.count === 0) await Bun.sleep(1);
    controller.abort();
    await expect(leaving).rejects.toThrow();
    await gateway.services.running.idle();
    const repeat = await own.post(body, headers);
    expect([repeat.status, repeat.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(await balanceOf(gateway, organization)).toEqual({ total: 9, held: 0 });
  });
});
