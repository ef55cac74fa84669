import { describe, expect, test } from "bun:test";
import { ProviderFailure, type ProviderFailureKind } from "../../contract/index.ts";
import { AppError, Stopped, type StopReason } from "../../kit/index.ts";
import { createBreaker } from "../../outbound/index.ts";
import { contentError, failureError, failureReason } from "./failure.ts";

const SECRET = "sk-canary at https://upstream.internal/v1";

function provider(kind: ProviderFailureKind, retryAfterSeconds?: number): AppError {
  const detail = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return failureError(new ProviderFailure(kind, "The text is too long.", { internal: SECRET, ...detail }));
}

describe("a provider's failure", () => {
  test.each([
    ["rejected", "validation_error", 400],
    ["context_overflow", "validation_error", 400],
    ["unauthorized", "internal_error", 502],
    ["unavailable", "internal_error", 502],
    ["rate_limited", "internal_error", 503],
    ["timeout", "internal_error", 504],
  ] as const)(
    "%s becomes %s with status %p, without its internal detail in the message",
    (kind, code, status) => {
      expect(provider(kind)).toMatchObject({ code, status, options: { internal: SECRET } });
      expect(provider(kind).message).not.toContain("canary");
    },
  );

  test.each([
    ["rejected", undefined],
    ["context_overflow", undefined],
    ["unauthorized", false],
    ["unavailable", undefined],
    ["rate_limited", undefined],
    ["timeout", undefined],
  ] as const)("%s sets shouldRetry to %p", (kind, shouldRetry) => {
    expect(provider(kind).options.shouldRetry).toBe(shouldRetry);
  });

  test("of our key says so, in no words that agents retry on", () => {
    expect(provider("unauthorized").message).toMatch(/refused this gateway's key(?!.*server error)/);
  });

  test("because of content, after some of an answer, is a refusal that says what is charged", () => {
    const error = contentError(new ProviderFailure("rejected", "no", { internal: SECRET }));
    expect(error).toMatchObject({ code: "validation_error", options: { internal: SECRET } });
    expect(error.message).toEndWith("What was delivered is charged.");
  });

  test("that another try would only repeat says not to try again", () => {
    const failure = new ProviderFailure("unavailable", "no", { isExcess: true });
    expect(failureError(failure)).toMatchObject({ status: 502, options: { shouldRetry: false } });
  });

  test.each(["rejected", "context_overflow"] as const)(
    "of kind %s keeps the provider's own message",
    (kind) => {
      expect(provider(kind).message).toBe("The text is too long.");
    },
  );

  test("of a target whose circuit is open is a 503 that says how long to wait", () => {
    const failure = new ProviderFailure("unavailable", "no", { isPassedOver: true, retryAfterSeconds: 9.2 });
    expect(failureError(failure)).toMatchObject({ status: 503, options: { retryAfterSeconds: 10 } });
  });

  test("names the target that failed", () => {
    const failure = new ProviderFailure("unavailable", "no");
    const clock = { nowMs: () => 0, elapsedMs: () => 0 };
    createBreaker({ clock }).pass("acme/chat-1", "o")?.failed(failure);
    expect(failureError(failure).options.target).toBe("acme/chat-1");
  });

  test("names the field that it concerns", () => {
    const failure = new ProviderFailure("rejected", "x: no", { field: "x" });
    expect(failureError(failure)).toMatchObject({ code: "validation_error", options: { field: "x" } });
    expect(provider("rejected").options.field).toBeUndefined();
    for (const kind of ["rejected", "context_overflow"] as const) {
      const named = new ProviderFailure(kind, "no", { param: "messages" });
      expect(failureError(named).options.field).toBe("messages");
    }
  });

  test.each(["unauthorized", "unavailable", "rate_limited", "timeout"] as const)(
    "%s has a message of ours that says that nothing was charged",
    (kind) => {
      expect(provider(kind).message).toContain("Nothing was charged");
    },
  );

  test.each([
    ["unavailable", /server.?error/i],
    ["timeout", /timed? out/i],
    ["rate_limited", /\blimit\b/i],
  ] as const)("%s has a message in words that agents recognize as retryable", (kind, words) => {
    expect(provider(kind).message).toMatch(words);
  });

  test.each([
    [undefined, 5],
    [1, 1],
    [60, 60],
    [86_400, 60],
    [Number.POSITIVE_INFINITY, 60],
    [0, 1],
    [-5, 1],
    [0.2, 1],
    [1.5, 2],
    [Number.NaN, 5],
  ])("that asks to wait %p s passes on %p s: a whole number from 1 to 60", (given, passed) => {
    expect(provider("rate_limited", given).options.retryAfterSeconds).toBe(passed);
  });
});

describe("a call that was stopped", () => {
  test.each([
    ["deadline", 504, { shouldRetry: false }],
    ["shutdown", 503, { retryAfterSeconds: 1 }],
    ["lease_lost", 503, { retryAfterSeconds: 1 }],
    ["client_gone", 503, { retryAfterSeconds: 1 }],
  ] as const)(
    "by %s becomes a %p that says that nothing was charged",
    (reason: StopReason, status, options) => {
      const error = failureError(new Stopped(reason));
      expect(error).toMatchObject({ code: "internal_error", status, options });
      expect(error.message).toContain("Nothing was charged");
    },
  );
});

test.each([
  ["cut_by_limit", new Stopped("deadline")],
  ["shutdown", new Stopped("shutdown")],
  ["database", new Stopped("lease_lost")],
  ["provider_error", new ProviderFailure("unavailable", "no")],
  ["provider_bad_reply", new ProviderFailure("unavailable", "no", { reason: "provider_bad_reply" })],
  ["provider_refused_request", new ProviderFailure("context_overflow", "no")],
  ["content_refused", new ProviderFailure("rejected", "no", { isContent: true })],
  ["provider_refused_our_key", new ProviderFailure("unauthorized", "no")],
  ["internal", new AppError("internal_error", "no")],
  ["internal", "a text"],
] as const)("%s is the reason of such a failure", (reason, error) => {
  expect(failureReason(error)).toBe(reason);
});

describe("any other error", () => {
  test("that is already an AppError stays unchanged", () => {
    const error = new AppError("validation_error", "no");
    expect(failureError(error)).toBe(error);
  });

  test("has its stack trace, or its text, as internal detail", () => {
    expect(failureError(new Error("x")).options.internal).toContain("failure.test.ts");
    expect(failureError("a text").options.internal).toBe("a text");
  });

  test.each([
    ["an error", new Error(SECRET)],
    ["a type error", new TypeError(SECRET)],
    ["a text", SECRET],
    ["undefined", undefined],
    ["an object", { secret: SECRET }],
  ])("such as %s becomes a 500 whose message reveals nothing of it", (_, thrown) => {
    const error = failureError(thrown);
    expect(error).toMatchObject({ code: "internal_error", status: 500 });
    expect(error.message).toBe("Something went wrong on our side. Nothing was charged.");
  });
});
