import { describe, expect, test } from "bun:test";
import type { ChatStreamPart } from "../../../generation/index.ts";
import { AppError } from "../../../kit/index.ts";
import { answered, createEdge, type EdgeOptions, type EdgeRequest, MEMBER_ID, RATE } from "../../testing.ts";
import { createdAtSeconds } from "../reply-identity.ts";
import { chatCompletionSchema } from "./chat-schema.ts";

const BODY = { model: "acme-chat", messages: [{ role: "user", content: "Hello" }] };

function ask(body: unknown, init: EdgeRequest = {}, options: EdgeOptions = {}) {
  const edge = createEdge(options);
  const reply = edge.send("/v1/chat/completions", { ...init, body: JSON.stringify(body) });
  return { edge, reply };
}

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> }).error;

describe("POST /v1/chat/completions", () => {
  test("answers with a chat completion whose id and time come from the request id", async () => {
    const response = await ask(BODY).reply;
    const body = chatCompletionSchema.parse(await response.json());
    expect(body.id).toBe(`chatcmpl-${response.headers.get("x-request-id")}`);
    expect(body.created).toBe(createdAtSeconds(response.headers.get("x-request-id") ?? ""));
    expect(body.choices[0]?.message.content).toBe("Hi.");
  });

  test("passes the sent alias, limit, member, efficiency and idempotency key on", async () => {
    const headers = { "x-member-user-id": MEMBER_ID, "x-efficiency": "off", "idempotency-key": "a" };
    const { edge, reply } = ask({ ...BODY, model: "svc-fast", max_tokens: 5.0 }, { headers });
    expect((await reply).status).toBe(200);
    expect(edge.calls[0]).toMatchObject({
      endpoint: "v1-chat-completions",
      model: { id: "acme-chat" },
      maxTokens: 5,
      memberUserId: MEMBER_ID,
      efficiency: "off",
      idempotency: { key: "a" },
      prompt: { messages: BODY.messages, wire: { kind: "chat_completions" } },
    });
  });

  test("a token limit above the model's maximum becomes that maximum", async () => {
    const { edge, reply } = ask({ ...BODY, max_completion_tokens: 64_000 });
    await reply;
    expect(edge.calls[0]?.maxTokens).toBe(8192);
  });

  test("a repeat has the id of the first call", async () => {
    const first = "0190e3c2-0000-7000-8000-0000000000ff";
    const { reply } = ask(
      BODY,
      {},
      {
        generation: {
          chat: async (call) => ({ ...answered(call), requestId: first, replayed: true }),
        },
      },
    );
    const response = await reply;
    expect(((await response.json()) as { id: string }).id).toBe(`chatcmpl-${first}`);
    expect(response.headers.get("idempotent-replayed")).toBe("true");
    expect(response.headers.get("x-request-id")).not.toBe(first);
  });

  test("a model that cannot be called is 404 model_not_found, whatever the reason", async () => {
    for (const model of ["unknown", "ACME-CHAT", "acme-chat ", "__proto__"]) {
      const response = await ask({ ...BODY, model }).reply;
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toEqual({
        message: `model: ${model.replace(" ", "?")} is no model that your organization may use; GET /v1/models lists them`,
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      });
    }
  });

  test("a wrong field is named in the error, without its value", async () => {
    const response = await ask({ ...BODY, messages: [{ role: "user", content: { canary: "CANARY-7f3a" } }] })
      .reply;
    const text = await response.text();
    expect(text).not.toContain("CANARY");
    expect(JSON.parse(text)).toMatchObject({
      error: { type: "invalid_request_error", param: "messages[0].content", code: "validation_error" },
    });
  });

  test("a prompt beyond the model's context has the code context_length_exceeded", async () => {
    const error = new AppError("validation_error", "Too long.", {
      field: "messages",
      reason: "context_length_exceeded",
    });
    const { reply } = ask(BODY, {}, { generation: { chat: () => Promise.reject(error) } });
    expect(await errorOf(await reply)).toMatchObject({ param: "messages", code: "context_length_exceeded" });
  });

  test("a stream that fails before its first event is an HTTP error with its status and x-should-retry", async () => {
    const error = new AppError("internal_error", "Failed.", { status: 502, shouldRetry: false });
    const part: ChatStreamPart = { type: "error", error };
    const stream = {
      requestId: "r",
      model: "acme-chat",
      rate: RATE,
      replayed: false,
      next: async () => part,
      leave: async () => {},
    };
    const requestId = "0190e3c2-0000-7000-8000-0000000000ff";
    const { reply } = ask(
      { ...BODY, stream: true },
      {},
      { generation: { chatStream: async () => ({ ...stream, requestId }) } },
    );
    const response = await reply;
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([502, "false"]);
    expect((await errorOf(response))["type"]).toBe("server_error");
  });

  test("10,000 messages are accepted; more are refused before any of them is checked", async () => {
    const body = (count: number, first: unknown = BODY.messages[0]) =>
      JSON.stringify({ ...BODY, messages: [first, ...Array(count - 1).fill(BODY.messages[0])] });
    const edge = createEdge();
    const path = "/v1/chat/completions";
    expect((await edge.send(path, { body: body(10_000) })).status).toBe(200);
    for (const count of [10_001, 100_000]) {
      const response = await edge.send(path, { body: body(count, "no message") });
      expect(response.status).toBe(400);
      expect((await errorOf(response))["param"]).toBe("messages");
    }
  });
});
