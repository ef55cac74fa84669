import { describe, expect, test } from "bun:test";
import { AppError, ERROR_CODES, type ErrorCode, STATUSES_OF_CODE } from "../../kit/index.ts";
import { errorFrame, openaiError } from "./errors.ts";

const PUBLIC_URL = "https://ai.example.com";
const render = (error: AppError) => openaiError(error, "id", PUBLIC_URL);
const bodyOf = async (error: AppError) =>
  (await render(error).json()) as { error: Record<string, unknown>; checkout_url?: string };

describe("an error of the compatible interface", () => {
  test.each([...ERROR_CODES])(
    "%s has the four keys, its status, and type server_error exactly for 5xx",
    async (code) => {
      for (const status of STATUSES_OF_CODE[code]) {
        const error = new AppError(code, "Words.", { status });
        const { error: rendered } = await bodyOf(error);
        expect(Object.keys(rendered).slice(0, 4)).toEqual(["message", "type", "param", "code"]);
        expect(rendered["type"] === "server_error").toBe(status >= 500);
        expect(render(error).status).toBe(code === "model_not_allowed" ? 404 : status);
      }
    },
  );

  test.each([
    ["unauthorized", "authentication_error"],
    ["scope_denied", "permission_error"],
    ["rate_limit_exceeded", "rate_limit_error"],
    ["insufficient_credits", "insufficient_quota"],
    ["validation_error", "invalid_request_error"],
    ["internal_error", "server_error"],
  ] satisfies [ErrorCode, string][])("%s is of type %s", async (code, type) => {
    expect((await bodyOf(new AppError(code, "Words."))).error["type"]).toBe(type);
  });

  test("for a missing or hidden model is 404 model_not_found", async () => {
    const error = new AppError("model_not_allowed", "No.", { field: "model" });
    expect((await bodyOf(error)).error).toEqual({
      message: "No.",
      type: "invalid_request_error",
      param: "model",
      code: "model_not_found",
    });
  });

  test("402 has the checkout URL twice, with the missing credits", async () => {
    const error = new AppError("insufficient_credits", "Not enough.", {
      missing: { credits: 12, needed: 15, organizationId: "0199-org" },
    });
    const body = await bodyOf(error);
    const link = "https://ai.example.com/console/billing?organization=0199-org&credits=12&needed=15";
    expect(body.checkout_url).toBe(link);
    expect(body.error).toMatchObject({ code: "insufficient_credits", checkout_url: link });
    expect(render(error).status).toBe(402);
    expect(render(error).headers.get("x-credits-missing")).toBe("12");
  });

  test("has Retry-After, the rate limit, and x-should-retry: false if a retry is useless", () => {
    const rate = { limit: 60, remaining: 0, resetSeconds: 12 };
    const limited = render(
      new AppError("rate_limit_exceeded", "Slow.", { retryAfterSeconds: 12, rate }),
    ).headers;
    expect(limited.get("retry-after")).toBe("12");
    const names = ["limit", "remaining", "reset"].map((name) => limited.get(`x-ratelimit-${name}-requests`));
    expect(names).toEqual(["60", "0", "12s"]);
    expect(limited.has("x-should-retry")).toBe(false);
    const conflict = new AppError("validation_error", "Used.", { status: 409, shouldRetry: false });
    expect(render(conflict).headers.get("x-should-retry")).toBe("false");
  });

  test.each(["context_length_exceeded", "previous_response_not_found", "item_reference_not_found"] as const)(
    "has the code %s",
    async (reason) => {
      const error = new AppError("validation_error", "No.", { field: "messages", reason });
      expect((await bodyOf(error)).error).toMatchObject({
        type: "invalid_request_error",
        param: "messages",
        code: reason,
      });
      expect(render(error).status).toBe(400);
    },
  );

  test("in a stream is one event with the same four keys", () => {
    const frame = errorFrame(new AppError("internal_error", "Line\nbreak.", { status: 503 }));
    expect(frame).toMatch(/^data: [^\n]+\n\n$/);
    expect(JSON.parse(frame.slice("data: ".length))).toEqual({
      error: { message: "Line\nbreak.", type: "server_error", param: null, code: "internal_error" },
    });
  });
});
