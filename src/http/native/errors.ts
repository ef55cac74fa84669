import type { AppError, RateState } from "../../kit/index.ts";
import { jsonReply } from "../reply.ts";

/** Renders an error in the main interface's format: `{error: {code, message, request_id}}`. */
export function nativeError(error: AppError, requestId: string): Response {
  const response = jsonReply(requestId, errorBody(error, requestId), error.status);
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
