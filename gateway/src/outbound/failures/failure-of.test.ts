import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type MisbehavingUpstream,
  startMisbehavingUpstream,
} from "../../../../test/upstream/misbehaving-upstream.ts";
import type { ProviderFailureKind } from "../../contract/index.ts";
import { chatInit, testFetch } from "../testing.ts";
import { failureOf, failureOfResponse } from "./failure-of.ts";

const kindOf = (status: number, body: unknown): ProviderFailureKind =>
  failureOf({ status, body: typeof body === "string" ? body : JSON.stringify(body) }).kind;
const messageOf = (body: unknown, status = 400): string =>
  failureOf({ status, body: typeof body === "string" ? body : JSON.stringify(body) }).publicMessage;

describe("the message is found in every shape of error body", () => {
  test.each([
    [{ error: { message: "Bad value", type: "invalid_request_error", code: null } }, "Bad value"],
    [{ error: "Bad value" }, "Bad value"],
    [{ code: "invalid-argument", error: "Bad value" }, "Bad value"],
    [{ message: "Bad value" }, "Bad value"],
    [{ detail: "Bad value" }, "Bad value"],
    [
      { detail: [{ loc: ["body", "messages", 0, "role"], msg: "Bad value", type: "enum" }] },
      "messages.0.role: Bad value",
    ],
    [[{ error: { code: 400, message: "Bad value", status: "INVALID_ARGUMENT" } }], "Bad value"],
    [{ errors: [{ message: "Bad value" }, { message: "Worse value" }] }, "Bad value; Worse value"],
    [{ errors: ["Bad value"] }, "Bad value"],
    [{ object: "error", message: { detail: [{ loc: ["body"], msg: "Bad value" }] } }, "Bad value"],
    [{ type: "error", error: { type: "invalid_request_error", message: "Bad value" } }, "Bad value"],
    [
      {
        error: { message: "Provider returned error", metadata: { raw: '{"error":{"message":"Bad value"}}' } },
      },
      "Bad value",
    ],
    [{ error: { message: "Provider returned error", metadata: { raw: "Bad value" } } }, "Bad value"],
    [{ title: "Bad value", status: 400 }, "Bad value"],
    ["Bad value", "Bad value"],
    ['data: {"error":{"message":"Bad value"}}\n\n', "Bad value"],
    [
      'event: error\r\ndata:{"type":"error","error":{"message":"Bad value"}}\r\n\r\ndata: [DONE]\r\n\r\n',
      "Bad value",
    ],
    ['id: 1\n: hm\nevent: error\ndata: {"error":\ndata: {"message":"Bad value"}}', "Bad value"],
    ["data: Bad value\n\n", "Bad value"],
    ["database: Bad value", "database: Bad value"],
  ])("%j", (body, expected) => {
    expect(messageOf(body)).toBe(expected);
  });

  test.each([
    ["<html><body>Bad gateway</body></html>"],
    [""],
    ["   "],
    [{}],
    [[]],
    ["null"],
    [{ error: {} }],
    [{ error: null }],
    ["123"],
  ])("%j has no message and gets our own", (body) => {
    expect(messageOf(body)).toBe("The model's provider refused the request.");
  });
});

describe("the status decides the kind", () => {
  test.each([
    [400, "rejected"],
    [413, "rejected"],
    [422, "rejected"],
    [401, "unauthorized"],
    [402, "unauthorized"],
    [403, "unauthorized"],
    [404, "unauthorized"],
    [408, "timeout"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [503, "unavailable"],
    [529, "unavailable"],
  ] as const)("%i is %s", (status, kind) => {
    expect(kindOf(status, { error: { message: "Scripted" } })).toBe(kind);
  });
});

describe("a refusal of our own account is unauthorized, not rejected", () => {
  test.each([
    [{ code: "invalid-argument", error: "Incorrect API key provided. Obtain one elsewhere." }],
    [
      {
        error: {
          code: 400,
          message: "API key not valid.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }],
        },
      },
    ],
    [
      {
        error: {
          type: "invalid_request_error",
          message: "Your credit balance is too low to access the API.",
        },
      },
    ],
    [{ error: { message: "Access denied.", type: "Arrearage", code: "Arrearage" } }],
    [{ error: { message: "Limit reached.", code: "billing_hard_limit_reached" } }],
    [
      {
        error: {
          message: "No model m.",
          type: "invalid_request_error",
          param: "model",
          code: "model_not_found",
        },
      },
    ],
    [{ object: "error", message: "Invalid model: m", type: "invalid_model", param: null, code: "1500" }],
    [
      {
        error: {
          type: "invalid_request_error",
          message: "You have reached your specified API usage limits. You will regain access on 2026-12-01.",
        },
      },
    ],
    [{ error: { type: "invalid_request_error", message: "This organization has been disabled." } }],
    [{ error: { code: 400, message: "User location is not supported for the API use." } }],
    [{ message: "Operation not allowed" }],
    [{ message: "Invocation of model ID acme.large with on-demand throughput isn’t supported." }],
    [{ message: "The provided model doesn't support on-demand throughput." }],
  ])("%j with 400 is unauthorized", (body) => {
    expect(kindOf(400, body)).toBe("unauthorized");
  });

  test("but a longer message with the same words is rejected", () => {
    expect(kindOf(400, { message: "tools.0: operation not allowed beside a schema" })).toBe("rejected");
  });

  test.each([
    "insufficient_quota",
    "exceeded_current_quota_error",
    "permission_error",
    "rate_limit_exceeded",
  ])("but a 429 is rate_limited whatever its code: %s", (code) => {
    const error = { message: "You exceeded your current quota.", type: code, code };
    const failure = failureOf({ status: 429, body: { error } });
    expect([failure.kind, failure.detail.targetHealth]).toEqual(["rate_limited", undefined]);
  });
});

describe("an empty account", () => {
  const isUnpaid = (status: number, error: object) =>
    failureOf({ status, body: { error } }).detail.isUnpaid ?? false;

  test.each([
    [
      429,
      { message: "You exceeded your current quota.", type: "insufficient_quota", code: "insufficient_quota" },
    ],
    [200, { message: "You exceeded your current quota.", code: "insufficient_quota" }],
    [429, { message: "Your account is not active.", type: "exceeded_current_quota_error" }],
    [400, { message: "Billing hard limit has been reached", code: "billing_hard_limit_reached" }],
    [400, { type: "invalid_request_error", message: "Your credit balance is too low to access the API." }],
    [402, { message: "Payment Required" }],
  ])("is recognized from %i %j", (status, error) => {
    expect(isUnpaid(status, error)).toBe(true);
  });

  test.each([
    [429, { message: "Rate limit reached for requests", code: "rate_limit_exceeded" }],
    [429, { code: 429, message: "You exceeded your current quota.", status: "RESOURCE_EXHAUSTED" }],
    [401, { message: "Incorrect API key provided", code: "invalid_api_key" }],
    [400, { message: "max_tokens is too large", type: "invalid_request_error" }],
  ])("is not assumed from %i %j", (status, error) => {
    expect(isUnpaid(status, error)).toBe(false);
  });
});

describe("a prompt that a router's moderation has flagged", () => {
  const metadata = { reasons: ["violence"], flagged_input: "a canary", provider_name: "Acme" };
  const error = { message: "Your input was flagged for violence.", code: 403, metadata };

  test.each([403, 200])("is rejected, without showing the prompt: %i", (status) => {
    const failure = failureOf({ status, body: { error } });
    expect([failure.kind, failure.publicMessage]).toEqual(["rejected", error.message]);
  });

  test("but any other 403 is unauthorized, and a 503 is unavailable", () => {
    for (const less of [{ reasons: ["violence"] }, { flagged_input: "x" }, {}]) {
      expect(kindOf(403, { error: { ...error, metadata: less } })).toBe("unauthorized");
    }
    expect(kindOf(503, { error: { ...error, code: 503 } })).toBe("unavailable");
  });
});

describe("a prompt that a provider's own safety check refuses with 403", () => {
  const code = "The caller does not have permission to execute the specified operation";
  const key = "66666666-2222-3333-4444-555555555555";

  test.each([
    ["xAI", { code, error: `Content violates usage guidelines. API key ID: ${key}, Model: grok-4` }],
    ["xAI, by its check", { code, error: `Team: ${key}, Failed check: SAFETY_CHECK_TYPE_BIO` }],
    ["a code", { error: { code: "content_moderation", message: "Your request was flagged." } }],
  ])("is rejected, without our ids: %s", (_name, body) => {
    const failure = failureOf({ status: 403, body });
    expect(failure.kind).toBe("rejected");
    expect(failure.publicMessage).not.toContain(key);
  });

  test("but a 403 with the same code for another reason is unauthorized", () => {
    const error = "Your team has no access to this model. See our usage guidelines.";
    expect(kindOf(403, { code, error })).toBe("unauthorized");
  });

  test("and a 503 is unavailable, whatever its message", () => {
    expect(kindOf(503, { code, error: "Content violates usage guidelines." })).toBe("unavailable");
  });
});

describe("the field that an error names", () => {
  const detailOf = (param: unknown, { status = 400, namesCallersFields = true } = {}) =>
    failureOf({ status, body: { error: { message: "x", param } }, namesCallersFields, secrets: ["canary"] })
      .detail;

  test.each(["messages", "tools[0].function.parameters", "input[3].content[0].text", "messages.[1].content"])(
    "%s is reported for a 400 if the caller uses the same names",
    (param) => {
      expect(detailOf(param)).toMatchObject({ param });
      expect(detailOf(param, { namesCallersFields: false })).not.toHaveProperty("param");
      expect(detailOf(param, { status: 500 })).not.toHaveProperty("param");
    },
  );

  test.each([null, "", 5, {}, "a field", "x".repeat(101), "canary", "https://host.internal/x", "<b>"])(
    "%j is not reported as a field",
    (param) => {
      expect(detailOf(param)).not.toHaveProperty("param");
    },
  );

  test.each(["None", "null", "undefined", ""])(
    "%p means none, and the field of an inner error is used instead",
    (param) => {
      expect(detailOf(param)).not.toHaveProperty("param");
      const wrapped = { error: { message: "x", param, metadata: { raw: '{"error":{"param":"tools"}}' } } };
      expect(failureOf({ status: 400, body: wrapped, namesCallersFields: true }).detail).toMatchObject({
        param: "tools",
      });
    },
  );
});

describe("an error inside a 200", () => {
  test.each([
    [{ error: { message: "x", code: 429 } }, "rate_limited"],
    [{ error: { message: "x", code: "502" } }, "unavailable"],
    [{ error: { message: "x", type: "overloaded_error" } }, "unavailable"],
    [{ error: { message: "x", type: "rate_limit_error" } }, "rate_limited"],
    [{ error: { message: "x", code: "insufficient_quota" } }, "rate_limited"],
    [{ error: { message: "x", type: "invalid_request_error" } }, "rejected"],
    [{ error: { message: "x", code: "content_filter" } }, "rejected"],
    [
      { error: { message: "x", type: "image_generation_user_error", code: "moderation_blocked" } },
      "rejected",
    ],
    [{ error: { message: "x", type: "server_error", code: "content_policy_violation" } }, "rejected"],
    [{ error: { message: "x", type: "server_error", code: "context_length_exceeded" } }, "context_overflow"],
    [{ error: { message: "x", type: "invalid_request_error", code: "invalid_api_key" } }, "unauthorized"],
    [{ error: { message: "x", type: "constructor" } }, "unavailable"],
    [{ error: "x" }, "unavailable"],
  ] as const)("%j is %s", (body, kind) => {
    expect(failureOf({ status: 200, body }).kind).toBe(kind);
  });
});

describe("read from the wire", () => {
  let upstream: MisbehavingUpstream;
  beforeAll(async () => {
    upstream = await startMisbehavingUpstream();
  });
  afterAll(() => upstream.close());
  const failed = async (model: string) =>
    failureOfResponse(await testFetch()(`${upstream.baseUrl}/chat/completions`, chatInit(model)));

  test("keys, hosts, addresses and ids appear neither in the message nor in the log", async () => {
    const failure = await failed("leak");
    expect(failure.kind).toBe("rejected");
    expect(failure.publicMessage).toStartWith("Bad request from key [hidden]");
    for (const secret of [
      "abcdef",
      "Q1w2",
      "upstream-host",
      "10.1.2",
      "cluster",
      "ops@",
      "9f8e",
      "0190c5",
      "tok_",
    ]) {
      expect(failure.publicMessage).not.toContain(secret);
      expect(failure.detail.internal).not.toContain(secret);
    }
  });

  test("a 401 that repeats our key is unauthorized, without the key in message or log", async () => {
    const failure = await failed("401");
    expect(failure.kind).toBe("unauthorized");
    expect(failure.publicMessage + failure.detail.internal).not.toContain("canary");
  });

  test.each([
    ["429", 60],
    ["429:-5", 0],
    ["429:7", 7],
    ["429:0.2", 1],
  ])("%s asks to retry after %i seconds", async (model, seconds) => {
    expect(await failed(model)).toMatchObject({
      kind: "rate_limited",
      detail: { retryAfterSeconds: seconds },
    });
  });

  test("an invalid Retry-After is ignored", async () => {
    expect((await failed("429:soon")).detail.retryAfterSeconds).toBeUndefined();
  });

  test("an error body that stalls is classified by its status", async () => {
    const response = await testFetch()(`${upstream.baseUrl}/chat/completions`, chatInit("status-stall:400"));
    expect((await failureOfResponse(response, { limitMs: 30 })).kind).toBe("rejected");
    await upstream.closed();
  });

  test("the log contains the provider's codes but not its messages, which may repeat a prompt", () => {
    const body = { error: { message: "You said: canary", type: "invalid_request_error", code: "canary 42" } };
    expect(failureOf({ status: 400, body, where: "acme" }).detail.internal).toBe(
      "acme: 400 invalid_request_error",
    );
  });

  test("an endless error body is not read to its end, and its connection is closed", async () => {
    const response = await testFetch()(`${upstream.as("endless")}/chat/completions`, chatInit("m"));
    expect((await failureOfResponse(response)).kind).toBe("unavailable");
    await upstream.closed();
  });
});
