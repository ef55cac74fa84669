import { describe, expect, test } from "bun:test";
import { AssertionError } from "./assert.ts";
import { AppError, invalid } from "./error.ts";
import { ERROR_CODES, STATUSES_OF_CODE } from "./error-codes.ts";

describe("AppError", () => {
  test.each([...ERROR_CODES])("%s has its default status and rejects statuses of other codes", (code) => {
    expect(new AppError(code, "x").status).toBe(STATUSES_OF_CODE[code][0] ?? 0);
    for (const status of [200, 302, 400, 401, 402, 403, 404, 409, 429, 500, 502, 503, 504]) {
      const isAllowed = STATUSES_OF_CODE[code].includes(status);
      if (isAllowed) expect(new AppError(code, "x", { status }).status).toBe(status);
      else expect(() => new AppError(code, "x", { status })).toThrow(AssertionError);
    }
  });

  test("keeps internal details out of its message", () => {
    const cause = new Error("connect ECONNREFUSED 10.0.0.7:5432");
    const error = new AppError("internal_error", "Try again.", { internal: "pool exhausted", cause });
    expect(error.message).toBe("Try again.");
    expect(String(error)).toBe("AppError: Try again.");
    expect([error.cause, error.options.internal]).toEqual([cause, "pool exhausted"]);
  });

  test("withRate adds to a copy that it was admitted, with its rate window, and changes nothing else", () => {
    const error = new AppError("internal_error", "Try again.", {
      status: 503,
      internal: "pool exhausted",
      retryAfterSeconds: 2,
      cause: new Error("away"),
    });
    const rate = { limit: 60, remaining: 7, resetSeconds: 12 };
    const told = error.withRate(rate);
    expect([told.code, told.status, told.message, told.stack, told.cause]).toEqual([
      error.code,
      error.status,
      error.message,
      error.stack,
      error.cause,
    ]);
    expect(told.options).toEqual({ ...error.options, rate, isAdmitted: true });
    expect(error.options.rate).toBeUndefined();
  });

  test("invalid() names the field and what it must be", () => {
    expect(invalid("max_tokens", "must be at least 1")).toMatchObject({
      code: "validation_error",
      status: 400,
      message: "max_tokens: must be at least 1",
      options: { field: "max_tokens" },
    });
  });
});
