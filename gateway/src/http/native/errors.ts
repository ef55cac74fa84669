import { checkoutUrl } from "../../billing/index.ts";
import type { AppError, RateState } from "../../kit/index.ts";
import { jsonReply } from "../reply.ts";

/**
 * Renders an error in the main interface's format: `{error: {code, message, request_id}}`. With `publicUrl`, the message
 * of a 402 says where credits can be added.
 */
export function nativeError(error: AppError, requestId: string, publicUrl: string | null = null): Response {
  const body = errorBody(error, requestId);
  if (error.code === "insufficient_credits" && publicUrl !== null) {
    body.error.message += ` Add credits at ${checkoutUrl(publicUrl, error.options.missing)}`;
  }
  const response = jsonReply(requestId, body, error.status);
  const { retryAfterSeconds, rate, missing } = error.options;
  if (retryAfterSeconds !== undefined)
    response.headers.set("retry-after", String(Math.ceil(retryAfterSeconds)));
  if (rate) setRateHeaders(response.headers, rate);
  if (missing) response.headers.set("x-credits-missing", String(missing.credits));
  return response;
}

/** The envelope of error replies, and of the error event. */
export function errorBody(error: AppError, requestId: string) {
  return { error: { code: error.code, message: error.message, request_id: requestId } };
}

export function setRateHeaders(headers: Headers, rate: RateState): void {
  headers.set("ratelimit-limit", String(rate.limit));
  headers.set("ratelimit-remaining", String(rate.remaining));
  headers.set("ratelimit-reset", String(rate.resetSeconds));
}
