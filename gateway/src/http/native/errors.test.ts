import { describe, expect, test } from "bun:test";
import { AppError } from "../../kit/index.ts";
import { nativeError } from "./errors.ts";

describe("an error of the main interface", () => {
  test("has code, message and request id in its body, and nothing else", async () => {
    const error = new AppError("insufficient_credits", "Not enough.", {
      internal: "row 7",
      missing: { credits: 5, needed: 9, organizationId: "o" },
      shouldRetry: false,
      field: "x",
      reason: "content_filter",
      cause: new Error("hidden"),
    });
    const response = nativeError(error, "id", "https://ai.example.com");
    expect(response.status).toBe(402);
    expect(await response.json()).toEqual({
      error: {
        code: "insufficient_credits",
        message:
          "Not enough. Add credits at https://ai.example.com/console/billing?organization=o&credits=5&needed=9",
        request_id: "id",
      },
    });
    expect(response.headers.get("x-request-id")).toBe("id");
    expect(response.headers.get("x-credits-missing")).toBe("5");
    expect(response.headers.has("retry-after")).toBe(false);
  });

  test("has Retry-After, rounded up, and the rate limit in its headers", () => {
    const rate = { limit: 60, remaining: 0, resetSeconds: 12 };
    const { headers } = nativeError(
      new AppError("rate_limit_exceeded", "Slow.", { retryAfterSeconds: 11.2, rate }),
      "id",
    );
    expect(headers.get("retry-after")).toBe("12");
    expect(["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`))).toEqual([
      "60",
      "0",
      "12",
    ]);
  });
});
