import type { AppError, RateState } from "../../kit/index.ts";
import { apiHeaders, type ReplyHeaders } from "../reply.ts";

/** Renders an error as the main interface does: `{error: {code, message, request_id}}`. */
export function nativeError(error: AppError, requestId: string): Response {
  const headers = apiHeaders(requestId);
  const { retryAfterSeconds, rate } = error.options;
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.ceil(retryAfterSeconds));
  if (rate) addRateHeaders(headers, rate);
  const body = { error: { code: error.code, message: error.message, request_id: requestId } };
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

export function addRateHeaders(headers: ReplyHeaders, rate: RateState): void {
  headers["ratelimit-limit"] = String(rate.limit);
  headers["ratelimit-remaining"] = String(rate.remaining);
  headers["ratelimit-reset"] = String(rate.resetSeconds);
}
