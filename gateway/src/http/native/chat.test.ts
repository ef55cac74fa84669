import { describe, expect, test } from "bun:test";
import { fastestWaitMs } from "../../../../test/fastest.ts";
import { answered, CHAT_BODY, createEdge, MEMBER_ID, nativeErrorOf, sendChat } from "../testing.ts";
import { chatReplySchema } from "./chat-schema.ts";

describe("a successful call", () => {
  test("returns exactly the fields of the contract, and the rate limit in its headers", async () => {
    const edge = createEdge();
    const response = await sendChat(edge, CHAT_BODY);
    expect(response.status).toBe(200);
    const body = chatReplySchema.parse(await response.json());
    expect(body.request_id).toBe(response.headers.get("x-request-id") ?? "");
    expect(body).toMatchObject({
      model: "acme-chat",
      message: { role: "assistant", content: "Hi." },
      finish_reason: "stop",
      usage: { input_tokens: 3, output_tokens: 2 },
      credits_charged: 1,
      balance: { subscription: 10, anytime: 20 },
    });
    const rate = ["limit", "remaining", "reset"].map((name) => response.headers.get(`ratelimit-${name}`));
    expect(rate).toEqual(["600", "599", "42"]);
    expect(response.headers.has("idempotent-replayed")).toBe(false);
  });

  test("returns the first call's request id and Idempotent-Replayed if it is a repeat", async () => {
    const first = "0190e3c2-0000-7000-8000-0000000000ff";
    const edge = createEdge({
      generation: {
        chat: async (call) => ({ ...answered(call), requestId: first, replayed: true }),
      },
    });
    const response = await sendChat(edge, CHAT_BODY, { headers: { "idempotency-key": "k" } });
    expect(response.headers.get("idempotent-replayed")).toBe("true");
    expect(response.headers.get("ratelimit-limit")).toBe("600");
    expect(((await response.json()) as { request_id: string }).request_id).toBe(first);
    expect(response.headers.get("x-request-id")).not.toBe(first);
  });

  test("passes the sent alias, limit, member, efficiency and idempotency key on", async () => {
    const edge = createEdge();
    const body = { model: "svc-fast", messages: CHAT_BODY.messages, max_tokens: 5.0, stream: null, price: 0 };
    const headers = {
      "x-member-user-id": MEMBER_ID.toUpperCase(),
      // Spaces around a value are no part of it.
      "x-efficiency": " off ",
      "idempotency-key": "a",
    };
    expect((await sendChat(edge, body, { headers })).status).toBe(200);
    expect(edge.calls[0]).toMatchObject({
      maxTokens: 5,
      memberUserId: MEMBER_ID,
      efficiency: "off",
      endpoint: "api-v1-chat",
      idempotency: { key: "a" },
      prompt: { messages: [{ role: "user", content: "Hello" }] },
    });
    expect(edge.calls[0]?.model.id).toBe("acme-chat");
    expect(edge.calls[0]?.plan.name).toBe("pro");
  });

  test("uses the organization's efficiency and no token limit if none is sent; content may be empty", async () => {
    const edge = createEdge();
    await sendChat(edge, { ...CHAT_BODY, max_tokens: null, messages: [{ role: "system", content: "" }] });
    expect(edge.calls[0]).toMatchObject({ efficiency: "safe", maxTokens: null, idempotency: null });
  });

  test("has a different fingerprint exactly if the body, member or efficiency differs", async () => {
    const edge = createEdge();
    const key = { "idempotency-key": "k" };
    const variants = [
      [JSON.stringify(CHAT_BODY), {}],
      [`${JSON.stringify(CHAT_BODY)} `, {}],
      [JSON.stringify(CHAT_BODY), { "x-member-user-id": MEMBER_ID }],
      [JSON.stringify(CHAT_BODY), { "x-efficiency": "off" }],
      [JSON.stringify(CHAT_BODY), {}],
    ] as const;
    for (const [body, headers] of variants) await sendChat(edge, body, { headers: { ...key, ...headers } });
    const prints = edge.calls.map((call) => Buffer.from(call.idempotency?.fingerprint ?? []).toString("hex"));
    expect(new Set(prints).size).toBe(4);
    expect(prints[4]).toBe(prints[0] ?? "");
  });
});

describe("400", () => {
  const message = (content: unknown, role: unknown = "user") => ({
    model: "acme-chat",
    messages: [{ role, content }],
  });
  const wrong: [string, unknown, string][] = [
    ["null", null, "body: must be a JSON object"],
    ["a list", [], "body: must be a JSON object"],
    ["a string", "text", "body: must be a JSON object"],
    ["no model", { messages: CHAT_BODY.messages }, "model: must be the id or alias"],
    ["a number as model", { ...CHAT_BODY, model: 5 }, "model: must be the id or alias"],
    ["an empty model", { ...CHAT_BODY, model: "" }, "model: must be the id or alias"],
    ["no messages", { model: "acme-chat" }, "messages: must be a list of 1 to 10000 messages"],
    ["an empty list", { ...CHAT_BODY, messages: [] }, "messages: must be a list of 1 to 10000 messages"],
    [
      "a list of null",
      { ...CHAT_BODY, messages: [null] },
      "messages[0]: must be an object with role and content",
    ],
    ["the role tool", message("x", "tool"), "messages[0].role: must be one of system, user, assistant"],
    ["no content", message(undefined), "messages[0].content: must be a string"],
    ["content in parts", message([{ type: "text", text: "x" }]), "messages[0].content: must be a string"],
    ["content null", message(null), "messages[0].content: must be a string"],
    ["stream as text", { ...CHAT_BODY, stream: "true" }, "stream: must be true or false"],
    ...["0", "-1", "1.5", '"5"', "true", "1e20", "1e400", "9007199254740993"].map(
      (value): [string, unknown, string] => [
        `max_tokens ${value}`,
        JSON.stringify(CHAT_BODY).replace("}]}", `}],"max_tokens":${value}}`),
        "max_tokens: must be a whole number from 1 to the model's limit (GET api-v1-models: max_output_tokens)",
      ],
    ),
    [
      "max_tokens 2^31",
      { ...CHAT_BODY, max_tokens: 2 ** 31 },
      "max_tokens: must be a whole number from 1 to 8192",
    ],
    [
      "max_tokens 8193",
      { ...CHAT_BODY, max_tokens: 8193 },
      "max_tokens: must be a whole number from 1 to 8192",
    ],
  ];

  test.each(wrong)("%s: the message names the field and what it accepts", async (_, body, expected) => {
    const edge = createEdge();
    const raw = typeof body === "string" && body.startsWith("{") ? body : JSON.stringify(body);
    const response = await sendChat(edge, raw);
    expect(response.status).toBe(400);
    const error = await nativeErrorOf(response);
    expect(error.code).toBe("validation_error");
    expect(error.message).toStartWith(expected);
    expect(edge.calls).toHaveLength(0);
  });

  test("never repeats the values that were sent", async () => {
    const canary = "CANARY-7f3a";
    const bodies = [{ ...CHAT_BODY, model: [canary] }, message({ canary }), { ...CHAT_BODY, stream: canary }];
    for (const body of bodies) {
      expect(await (await sendChat(createEdge(), body)).text()).not.toContain(canary);
    }
  });

  test("10,000 messages are accepted; 10,001 and 100,000 are refused without blocking the event loop", async () => {
    const edge = createEdge();
    const messages = (count: number) => ({
      model: "acme-chat",
      messages: Array.from({ length: count }, () => ({ role: "user", content: "x" })),
    });
    expect((await sendChat(edge, messages(10_000))).status).toBe(200);
    for (const count of [10_001, 100_000]) {
      const body = JSON.stringify(messages(count));
      const refuse = async () => expect((await sendChat(edge, body)).status).toBe(400);
      expect(await fastestWaitMs(refuse, 3, 250)).toBeLessThan(250);
    }
  });

  test.each(["OFF", "", "max", "off, off"])("X-Efficiency %j", async (level) => {
    const response = await sendChat(createEdge(), CHAT_BODY, { headers: { "x-efficiency": level } });
    expect(response.status).toBe(400);
    expect((await nativeErrorOf(response)).message).toBe(
      "X-Efficiency: must be one of off, safe, structural",
    );
  });

  test.each(["", "two words", "é", "k".repeat(256), "a, b"])("Idempotency-Key %j", async (key) => {
    const response = await sendChat(createEdge(), CHAT_BODY, { headers: { "idempotency-key": key } });
    expect(response.status).toBe(400);
    expect((await nativeErrorOf(response)).message).toStartWith("Idempotency-Key: must be 1 to 255");
  });

  test.each(["", "x", "0190e3c2-0000-7000-8000-00000000000b", `${MEMBER_ID}, ${MEMBER_ID}`])(
    "X-Member-User-Id %j",
    async (member) => {
      const response = await sendChat(createEdge(), CHAT_BODY, { headers: { "x-member-user-id": member } });
      expect(response.status).toBe(400);
      expect((await nativeErrorOf(response)).message).toStartWith("X-Member-User-Id: must be the user id");
    },
  );
});

describe("403", () => {
  test.each(["unknown", "ACME-CHAT", "acme-chat ", " acme-chat", "acme/acme-chat", "svc-Fast", "__proto__"])(
    "model %j gets the same response as every model that cannot be called",
    async (model) => {
      const edge = createEdge();
      const response = await sendChat(edge, { ...CHAT_BODY, model });
      expect(response.status).toBe(403);
      expect(await nativeErrorOf(response)).toEqual({
        code: "model_not_allowed",
        message: `model: ${model.replace(" ", "?")} is no model that your organization may use; GET api-v1-models lists them`,
      });
      expect(edge.calls).toHaveLength(0);
    },
  );
});
