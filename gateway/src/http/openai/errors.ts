import { checkoutUrl } from "../../billing/index.ts";
import { type AppError, type ErrorCode, encodeSseData } from "../../kit/index.ts";
import { markError } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";

/** The error types that generic clients base their retries on: a client's mistake must never look like a server's. */
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

/** Generic clients expect 404 `model_not_found` for a missing model. */
const NOT_FOUND = 404;

/** All four keys are always present: some clients read one of them without checking. */
type ErrorObject = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
};

/** An error in the form that is used everywhere on this wire: in replies, stream frames and failed responses. */
export function errorObject(error: AppError): ErrorObject {
  const { field, reason } = error.options;
  return {
    message: error.message,
    type: TYPES[error.code],
    param: field ?? null,
    code: reason ?? (error.code === "model_not_allowed" ? "model_not_found" : error.code),
  };
}

/** The reply `{error: {message, type, param, code}}`, with headers for retries, rate limits and missing credits. */
export function openaiError(error: AppError, requestId: string, publicUrl: string): Response {
  const status = error.code === "model_not_allowed" ? NOT_FOUND : error.status;
  const response = markError("openai", jsonReply(requestId, errorBody(error, publicUrl), status), error);
  if (error.options.shouldRetry === false) response.headers.set("x-should-retry", "false");
  return response;
}

/** Some clients show their user the whole body, some only `error`, most only its message: the link is in all three. */
function errorBody(error: AppError, publicUrl: string): Readonly<Record<string, unknown>> {
  if (error.code !== "insufficient_credits") return { error: errorObject(error) };
  const url = checkoutUrl(publicUrl, error.options.missing);
  const object = errorObject(error);
  const message = `${object.message} Add credits at ${url}`;
  return { error: { ...object, message, checkout_url: url }, checkout_url: url };
}

/** For a failure after the stream has begun, when the status can no longer report it. `beside` is what it cost. */
export function errorFrame(error: AppError, beside: object = {}): string {
  return encodeSseData(JSON.stringify({ error: errorObject(error), ...beside }));
}
