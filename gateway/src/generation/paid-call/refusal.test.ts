import { describe, expect, test } from "bun:test";
import { AppError, credits } from "../../kit/index.ts";
import { refusalError, replyNotKept } from "./refusal.ts";

const rate = { limit: 60, remaining: 0, resetSeconds: 17 };
const requestId = "01890000-0000-7000-8000-00000000beef";
const call = { orgId: "o", kind: "call", minimum: credits(40), keyInFlight: null } as const;

describe("a refused admission", () => {
  test("for credits says how many are needed, available and held, and how many are missing", () => {
    const refused = { outcome: "insufficient", available: credits(15), held: credits(20), rate } as const;
    expect(refusalError(refused, call)).toMatchObject({
      code: "insufficient_credits",
      status: 402,
      message: "Not enough credits: 40 needed, 15 available, 20 held by running calls.",
      options: { missing: { credits: 25, organizationId: "o" }, rate },
    });
  });

  test("for its rate says when the window ends", () => {
    expect(refusalError({ outcome: "rate_limited", rate }, call)).toMatchObject({
      code: "rate_limit_exceeded",
      status: 429,
      message: expect.stringContaining("60 requests a minute"),
      options: { retryAfterSeconds: 17, rate },
    });
  });

  test("for calls in flight may be retried after a second, not at the end of the window", () => {
    expect(refusalError({ outcome: "too_many_in_flight", rate }, call)).toMatchObject({
      code: "rate_limit_exceeded",
      status: 429,
      options: { retryAfterSeconds: 1 },
    });
  });

  test.each([
    ["a call", call, "calls of this organization"],
    [
      "a call whose key has a limit of its own",
      { ...call, keyInFlight: 2 },
      "calls of this key or its organization",
    ],
    ["a job", { ...call, kind: "job" }, "video jobs of this organization"],
  ] as const)("for calls in flight names what is running: %s", (_, refused, running) => {
    const { message } = refusalError({ outcome: "too_many_in_flight", rate }, refused);
    expect(message).toBe(`Too many ${running} are running. Try again when one has ended.`);
  });

  test.each(["running", "conflict"] as const)(
    "whose idempotency key is %s is a 409 that names the first call",
    (outcome) => {
      const error = refusalError({ outcome, requestId, rate }, call);
      expect(error).toMatchObject({
        code: "validation_error",
        status: 409,
        options: { shouldRetry: false, rate },
      });
      expect(error.message).toStartWith("Idempotency-Key: ");
      expect(error.message).toContain(requestId);
      // Only a call that is still running can answer differently later.
      expect(error.options.retryAfterSeconds).toBe(outcome === "running" ? 2 : undefined);
    },
  );

  test("on a node that lost its lease is a 503 that may be retried", () => {
    expect(refusalError({ outcome: "lease_lost" }, call)).toMatchObject({
      code: "internal_error",
      status: 503,
      options: { retryAfterSeconds: 1 },
    });
  });

  test("for a reply that was not stored is a 409 that names the first call and forbids a retry", () => {
    const error = replyNotKept({ requestId, rate });
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ status: 409, options: { shouldRetry: false, rate } });
    expect(error.message).toContain(requestId);
  });
});
