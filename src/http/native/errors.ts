import type { AppError, RateState } from "../../kit/index.ts";
import { jsonReply } from "../reply.ts";

/** Renders an error as the main interface does: `{error: {code, message, request_id}}`. */
export function nativeError(error: AppError, requestId: string): Response {
  const body = { error: { code: error.code, message: error.message, request_id: requestId } };
  const response = jsonReply(requestId, body, error.status);
  const { retryAfterSeconds, rate } = error.options;
  if (retryAfterSeconds !== undefined)
    response.headers.set("retry-after", String(Math.ceil(retryAfterSeconds)));
  if (rate) setRateHeaders(response.headers, rate);
  return response;
}

export function setRateHeaders(headers: Headers, rate: RateState): void {
  headers.set("ratelimit-limit", String(rate.limit));
  headers.set("ratelimit-remaining", String(rate.remaining));
  headers.set("ratelimit-reset", String(rate.resetSeconds));
}
