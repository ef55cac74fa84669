import type { AppError, ErrorCode, RateState } from "../../kit/index.ts";
import { jsonReply } from "../reply.ts";

/** What steers the retries of generic clients: a client's mistake is never called a server's. */
const TYPES: Readonly<Record<ErrorCode, string>> = {
  unauthorized: "authentication_error",
  invalid_key: "authentication_error",
  key_not_found: "authentication_error",
  org_inactive: "permission_error",
  scope_denied: "permission_error",
  rate_limit_exceeded: "rate_limit_error",
  insufficient_credits: "insufficient_quota",
  model_not_allowed: "invalid_request_error",
  validation_error: "invalid_request_error",
  internal_error: "server_error",
};

/** Generic clients know a missing model as 404 `model_not_found`. */
const NOT_FOUND = 404;

/** Renders an error as the compatible interface does: `{error: {message, type, param, code}}`, all four always. */
export function openaiError(error: AppError, requestId: string, publicUrl: string): Response {
  const missingModel = error.code === "model_not_allowed";
  const rendered: Record<string, unknown> = {
    message: error.message,
    type: TYPES[error.code],
    param: error.options.field ?? null,
    code: missingModel ? "model_not_found" : error.code,
  };
  const body: Record<string, unknown> = { error: rendered };
  if (error.code === "insufficient_credits") {
    const checkoutUrl = `${publicUrl}/console/billing?credits=${error.options.missingCredits ?? 0}`;
    rendered["checkout_url"] = checkoutUrl;
    body["checkout_url"] = checkoutUrl;
  }
  const response = jsonReply(requestId, body, missingModel ? NOT_FOUND : error.status);
  const { retryAfterSeconds, shouldRetry, rate } = error.options;
  if (retryAfterSeconds !== undefined)
    response.headers.set("retry-after", String(Math.ceil(retryAfterSeconds)));
  if (shouldRetry === false) response.headers.set("x-should-retry", "false");
  if (rate) setRateHeaders(response.headers, rate);
  return response;
}

export function setRateHeaders(headers: Headers, rate: RateState): void {
  headers.set("x-ratelimit-limit-requests", String(rate.limit));
  headers.set("x-ratelimit-remaining-requests", String(rate.remaining));
  headers.set("x-ratelimit-reset-requests", `${rate.resetSeconds}s`);
}
