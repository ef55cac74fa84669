/** The ten error codes of the API. Their HTTP statuses and meanings are documented in docs/errors.md. */
export const ERROR_CODES = [
  "unauthorized",
  "invalid_key",
  "key_not_found",
  "org_inactive",
  "scope_denied",
  "rate_limit_exceeded",
  "insufficient_credits",
  "model_not_allowed",
  "validation_error",
  "internal_error",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Statuses that each code may have; the first is the usual one. */
export const STATUSES_OF_CODE: Readonly<Record<ErrorCode, readonly number[]>> = {
  unauthorized: [401],
  invalid_key: [401],
  key_not_found: [401],
  org_inactive: [403],
  scope_denied: [403],
  rate_limit_exceeded: [429],
  insufficient_credits: [402],
  model_not_allowed: [403],
  validation_error: [400, 404, 405, 408, 409, 412, 413, 415, 416],
  internal_error: [500, 502, 503, 504],
};
